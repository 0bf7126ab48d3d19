import type {
  ComparisonScorer,
  Dataset,
  DatasetComparison,
  DatasetCreateParams,
  DatasetRerun,
} from '@modelwire/client';
import type { App, Define } from '../app.ts';
import { usageError } from '../cli-error.ts';
import { comparisonFields, datasetFields } from '../datasets/fields.ts';
import { resultOf, runRequest } from '../datasets/run.ts';
import { readJsonObject } from '../json.ts';
import {
  choice,
  collect,
  collectFrom,
  collectJsonPairs,
  collectPairs,
  numberFrom,
  positiveInteger,
  unixSecondsFrom,
} from '../option-values.ts';
import { fileColumns } from '../output/shapes.ts';
import { listCommand, pageQuery, take } from '../paging.ts';
import { resourceCommands } from '../resource-commands.ts';
import { saveBody, withSaveOptions } from '../save-body.ts';
import { subcommand } from '../subcommand.ts';
import { withWaitOptions } from '../wait-for.ts';

const formats = { 'fine-tuning': 'fine_tuning', evaluation: 'evaluation', batch: 'batch' } as const;
const textScorers = ['exact', 'normalized'] as const;

export const define: Define = (group, app) => {
  const { client, print, signal } = app;
  const resource = resourceCommands<Dataset | DatasetComparison>(group, app, {
    ...{ id: 'dataset-id', example: 'file-abc123' },
    fields: (one) => (one.object === 'dataset' ? datasetFields(one) : comparisonFields(one)),
  });

  withWaitOptions(
    subcommand(group, 'create', 'Write stored completions to files', {
      'Conversations for fine-tuning, a tenth for tests':
        'modelwire datasets create --format fine-tuning --metadata topic=rivers --test 0.1',
      'Requests and replies for a comparison': 'modelwire datasets create --model simulator --since 2026-11-01',
    }),
  )
    .addOption(
      choice('--format <format>', 'What a line is (default: evaluation)', ['fine-tuning', 'evaluation', 'batch']),
    )
    .option('--name <name>', 'Name of the files')
    .option('-m, --model <model>', 'Only completions of this model')
    .option('--metadata <key=value>', 'Only completions with this metadata (repeatable)', collectPairs)
    .option('--since <time>', 'Only completions created from this time on', unixSecondsFrom)
    .option('--until <time>', 'Only completions created before this time', unixSecondsFrom)
    .option('--limit <n>', 'Maximum number of lines', positiveInteger)
    .option('--test <share>', 'Share of the lines in a file for tests', numberFrom({ min: 0, max: 1 }))
    .option('--seed <n>', 'Selects the lines for tests (default: 0)', numberFrom({ isInteger: true }))
    .option('--keep-duplicates', 'Keep lines that are equal to an earlier one')
    .action(async ({ format = 'evaluation', name, model, metadata, since, until, limit, test, seed, ...flags }) => {
      if (seed !== undefined && test === undefined) throw usageError('--seed requires --test.');
      const body: DatasetCreateParams = {
        format: formats[format],
        name,
        filter: { model, metadata, start_time: since, end_time: until },
        limit,
        ...(test !== undefined && { split: { test, seed } }),
        ...(flags.keepDuplicates && { deduplicate: false }),
      };
      await resource.print(await runRequest<Dataset>(app, '/v1/datasets', body, flags));
    });

  listCommand(group, 'List datasets, newest first', {
    'List the newest datasets': 'modelwire datasets list',
    'List the newest comparisons': 'modelwire datasets list --comparisons',
  })
    .option('--comparisons', 'List comparisons instead')
    .action(async (flags) => {
      const purpose = flags.comparisons ? 'comparison' : 'dataset';
      const list = (await client()).files.list({ ...pageQuery(flags), purpose }, { signal });
      await print.rows(take(list, flags), fileColumns, 'None.');
    });

  resource.call('get', 'Show a dataset or a comparison', (_, id) => contentOf<Dataset | DatasetComparison>(app, id));

  withWaitOptions(
    resource.withId('rerun', 'Run the requests of a dataset again', {
      'With another model': 'modelwire datasets rerun file-abc123 --model simulator',
      'With other parameters':
        'modelwire datasets rerun file-abc123 --set temperature=0 --set max_completion_tokens=100',
    }),
  )
    .description(
      'Runs as a batch. The results are stored; their metadata has the ID of the source as rerun_of, with which modelwire completions list finds them.',
    )
    .option('-m, --model <model>', 'Model in place of the stored one')
    .option(
      '--set <name=value>',
      'Parameter in place of the stored one, in JSON or as text (repeatable)',
      collectJsonPairs,
    )
    .action(async (dataset, { model, set = {}, ...flags }) => {
      const parameters = { ...set, ...(model !== undefined && { model }) };
      const { datasets } = await client();
      const { id } = await datasets.rerun({ dataset, parameters }, app);
      const rerun = await resultOf<DatasetRerun>(app, id, flags);
      if (print.json) await print.value(rerun);
      else await print.text(`${rerun.id}\n`);
    });

  withWaitOptions(
    resource.withId('compare', 'Compare replies to the requests of a dataset', {
      'With the replies of the dataset': 'modelwire datasets compare file-abc123 batch_abc123 --scorer normalized',
      'By a judge': `modelwire datasets compare file-abc123 batch_abc123 --judge simulator --criteria 'It is correct and short.'`,
    }),
  )
    .argument('<batch-id...>', 'The batch that modelwire datasets rerun prints')
    .option('--baseline <batch-id>', 'Compare with this batch instead of the dataset (repeatable)', collect)
    .option('--name <name>', 'Name of the files')
    .option('--scorer <type>', 'exact or normalized (repeatable)', collectFrom(textScorers))
    .option('--schema <file>', 'JSON Schema that replies have to match: a file, or inline JSON')
    .option('--regex <pattern>', 'Regular expression that whole replies have to match')
    .option('--embedding <model>', 'Model for the similarity to the reply of the dataset')
    .option('--judge <model>', 'Model that compares both replies, in both orders')
    .option('--rubric', 'The judge gives each reply 1 to 5 points instead')
    .option('--criteria <text>', 'What makes a reply good (required by --judge)')
    .action(async (dataset, candidate_batch_ids, { baseline, name, ...flags }) => {
      const scorers = await scorersOf(app, flags);
      const body = {
        ...{ dataset, candidate_batch_ids, baseline_batch_ids: baseline, name },
        ...(scorers.length > 0 && { scorers }),
      };
      const comparison = await runRequest<DatasetComparison>(app, '/v1/datasets/compare', body, flags);
      await resource.print(comparison);
    });

  withSaveOptions(
    resource.withId('download', 'Download the files of a dataset or a comparison', {
      'Save them in this folder': 'modelwire datasets download file-abc123',
    }),
  ).action(async (id, flags) => {
    const { files } = await client();
    const one = await contentOf<Dataset | DatasetComparison>(app, id);
    const ids =
      one.object === 'dataset' ? one.files.map(({ file_id }) => file_id) : [one.cases_file_id, one.csv_file_id];
    for (const file of ids) {
      if (typeof file !== 'string') continue;
      const { filename } = await files.retrieve(file, { signal });
      await saveBody(app, flags, await files.content(file, { signal }), filename);
    }
  });
};

/** The dataset or comparison that is the content of a file. */
async function contentOf<Content>({ client, signal }: App, id: string): Promise<Content> {
  const { files } = await client();
  const { purpose } = await files.retrieve(id, { signal });
  if (purpose !== 'dataset' && purpose !== 'comparison')
    throw usageError(`The file ${id} is no dataset and no comparison.`);
  return (await (await files.content(id, { signal })).json()) as Content;
}

interface ScorerFlags {
  readonly scorer?: readonly (typeof textScorers)[number][];
  readonly schema?: string;
  readonly regex?: string;
  readonly embedding?: string;
  readonly judge?: string;
  readonly rubric?: true;
  readonly criteria?: string;
}

async function scorersOf(
  { terminal }: App,
  { scorer = [], schema, regex, embedding, judge, rubric, criteria }: ScorerFlags,
): Promise<readonly ComparisonScorer[]> {
  if (judge !== undefined && criteria === undefined) throw usageError('Missing required option --criteria.');
  if (judge === undefined && (criteria !== undefined || rubric)) throw usageError('Missing required option --judge.');
  const scorers: ComparisonScorer[] = scorer.map((type) => ({ type }));
  if (schema !== undefined)
    scorers.push({ type: 'json_schema', schema: await readJsonObject('--schema', schema, terminal.cwd) });
  if (regex !== undefined) scorers.push({ type: 'regex', pattern: regex });
  if (embedding !== undefined) scorers.push({ type: 'embedding', model: embedding });
  if (judge !== undefined && criteria !== undefined)
    scorers.push({ type: 'judge', model: judge, criteria, mode: rubric ? 'rubric' : 'pairwise' });
  return scorers;
}
