import * as z from 'zod';
import {
  constant,
  count,
  identifier,
  nullableString,
  openEnum,
  requestObject,
  responseObject,
  string,
  text,
  timestamp,
} from '../fields/field.ts';
import { jsonObject } from '../fields/field.ts';
import {
  COMPARISON_BATCHES_MAX,
  COMPARISON_SCORERS_MAX,
  DATASET_NAME_MAX_LENGTH,
  JUDGE_CRITERIA_MAX_LENGTH,
} from '../limits.ts';

const batchIds = () =>
  z
    .array(identifier({ min: 1 }))
    .min(1)
    .max(COMPARISON_BATCHES_MAX);
const requestedBatches = () =>
  batchIds()
    .optional()
    .describe('The batches that ran the request files of this scorer, in their order. Default: the files are written.');
const model = () => text({ min: 1 }).meta({ description: 'Model of the requests.', examples: ['simulator'] });

export const comparisonScorerSchema = z
  .discriminatedUnion('type', [
    z.strictObject({ type: constant('exact') }).describe('1 if the reply is the reply of the dataset.'),
    z
      .strictObject({ type: constant('normalized') })
      .describe('1 if it is the same apart from case, punctuation and whitespace.'),
    z
      .strictObject({ type: constant('json_schema'), schema: jsonObject().describe('A JSON Schema.') })
      .describe('1 if the reply is JSON that matches the schema.'),
    z
      .strictObject({
        type: constant('regex'),
        pattern: text({ min: 1, max: JUDGE_CRITERIA_MAX_LENGTH }).meta({
          description:
            'A regular expression without look-around and backreferences, which the whole reply has to match.',
          examples: ['[A-Z][a-z]+'],
        }),
      })
      .describe('1 if the reply matches the expression.'),
    z
      .strictObject({ type: constant('embedding'), model: model(), batch_ids: requestedBatches() })
      .describe('Cosine similarity to the reply of the dataset.'),
    z
      .strictObject({
        type: constant('judge'),
        model: model(),
        mode: z.enum(['pairwise', 'rubric']).optional().meta({
          description: 'Whether the model compares two replies, in both orders, or gives each from 1 to 5 points.',
          default: 'pairwise',
        }),
        criteria: text({ min: 1, max: JUDGE_CRITERIA_MAX_LENGTH }).meta({
          description: 'What makes a reply good.',
          examples: ['It is correct and short.'],
        }),
        batch_ids: requestedBatches(),
      })
      .describe('What a model says about the replies, from 0 to 1.'),
  ])
  .meta({ id: 'ComparisonScorer', description: 'How replies are scored, from 0 to 1.' });

export const datasetCompareParamsSchema = requestObject(
  'DatasetCompareParams',
  'A request for a comparison of replies.',
  {
    name: text({ min: 1, max: DATASET_NAME_MAX_LENGTH })
      .optional()
      .meta({ description: 'Name of the files.', default: 'comparison', examples: ['small-model'] }),
    dataset: identifier({ min: 1 }).meta({
      description: 'ID of a dataset of the format `evaluation`.',
      examples: ['file-abc123'],
    }),
    candidate_batch_ids: batchIds().describe(
      'The batch of a rerun, or the batches that ran the requests of the dataset again, in the order of their files.',
    ),
    baseline_batch_ids: batchIds()
      .optional()
      .describe('Batches with which the candidate is compared. Default: the replies of the dataset.'),
    scorers: z
      .array(comparisonScorerSchema)
      .min(1)
      .max(COMPARISON_SCORERS_MAX)
      .optional()
      .describe('Default: `exact`.'),
  },
);

export const comparisonErrorSchema = z
  .looseObject({
    code: nullableString('Code of the error.', 'model_not_found'),
    message: string('The error.', "The model 'judge' does not exist."),
    cases: count('Cases with this error.'),
    case_ids: z.array(z.string()).describe('The first of them, by the IDs of their completions. At most 10.'),
  })
  .meta({ id: 'ComparisonError', description: 'Why cases have no reply, or no score.' });

const errors = (of: string) =>
  z
    .array(comparisonErrorSchema)
    .describe(`Why cases have no ${of}, the most frequent error first: the first 10, and all others as one.`);

const sideSchema = z
  .looseObject({
    replies: count('Replies that there are.'),
    errors: errors('reply'),
    input_tokens: count('Input tokens of all replies.'),
    output_tokens: count('Output tokens of all replies.'),
    cost: z
      .number()
      .nullable()
      .meta({ description: 'Cost of all replies in `currency`. Null without a price.', examples: [0.02] }),
    mean_duration_ms: z
      .number()
      .nullable()
      .meta({ description: 'Mean of the known durations.', examples: [840] }),
  })
  .meta({ id: 'ComparisonSide', description: 'What the replies of one side took.' });

export const comparisonResultSchema = z
  .looseObject({
    type: openEnum(['exact', 'normalized', 'json_schema', 'regex', 'embedding', 'judge'], 'The scorer.'),
    scored: count('Cases with a score.'),
    failed: count('Cases with both replies that have no score because of an error.'),
    errors: errors('score'),
    baseline_mean: z
      .number()
      .nullable()
      .meta({ description: 'Mean score of the baseline. Null without a score.', examples: [0.5] }),
    candidate_mean: z
      .number()
      .nullable()
      .meta({ description: 'Mean score of the candidate. Null without a score.', examples: [0.6] }),
    wins: count('Cases in which the candidate has the higher score.'),
    losses: count('Cases in which the baseline has the higher score.'),
    ties: count('Cases with equal scores.'),
    win_rate: z
      .number()
      .nullable()
      .meta({ description: 'Share of wins, with ties as half a win.', examples: [0.55] }),
    win_rate_interval: z
      .array(z.number())
      .nullable()
      .meta({
        description: 'Bounds of the 95 % confidence interval of the win rate, by Wilson.',
        examples: [[0.45, 0.64]],
      }),
    request_file_ids: z
      .array(z.string())
      .describe('Files of requests whose results the scorer needs. Empty if it has them.'),
  })
  .meta({ id: 'ComparisonResult', description: 'The scores of all cases by one scorer.' });

/** Of this server: a file of the purpose `comparison`, whose content this is. */
export const datasetComparisonSchema = responseObject('DatasetComparison', 'Replies to the same requests, compared.', {
  id: string('ID of the file that has this object as its content.', 'file-abc123'),
  object: constant('dataset.comparison'),
  name: string('Name of the files.', 'small-model'),
  created_at: timestamp('When the comparison was created.'),
  dataset: string('ID of the dataset.', 'file-def456'),
  candidate_batch_ids: z.array(z.string()).describe('The batches of the candidate.'),
  baseline_batch_ids: z
    .array(z.string())
    .nullable()
    .describe('The batches of the baseline. Null for the replies of the dataset.'),
  counts: z
    .looseObject({
      cases: count('Items of the dataset.'),
      told_apart: count('Cases in which a scorer prefers one reply, or one is missing.'),
      different: count('Other cases whose replies are different texts.'),
      equal: count('Cases with equal replies.'),
    })
    .describe('The cases, in the order of the files.'),
  scorers: z.array(comparisonResultSchema).describe('One for each scorer, in their order.'),
  baseline: sideSchema,
  candidate: sideSchema,
  currency: string('Currency of the costs.', 'usd'),
  cases_file_id: nullableString('File with a case on each line as JSON. Null without cases.', 'file-abc456'),
  csv_file_id: string('File with the same cases as CSV.', 'file-abc789'),
});
