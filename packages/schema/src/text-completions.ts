import * as z from 'zod';
import { usageSchema } from './chat/completion.ts';
import { logitBiasSchema } from './chat/create.ts';
import { streamOptions } from './fields/stream-options.ts';
import {
  constant,
  count,
  flag,
  int64,
  integer,
  openEnum,
  requestObject,
  responseObject,
  string,
  text,
  timestamp,
} from './fields/field.ts';
import * as limits from './limits.ts';
import * as sampling from './fields/sampling.ts';
import { textOrTokens } from './fields/text-or-tokens.ts';

const stopSequence = text({ min: 1, max: limits.STOP_MAX_LENGTH });

const textStreamOptionsSchema = requestObject('TextCompletionStreamOptions', 'Options of a stream.', streamOptions);

export const textCompletionCreateParamsSchema = requestObject(
  'TextCompletionCreateParams',
  'A request to continue a text.',
  {
    model: text({ min: 1 }).meta({ description: 'ID of the model.', examples: ['simulator'] }),
    prompt: textOrTokens({
      items: limits.PROMPTS_MAX,
      textLength: limits.PROMPT_MAX_LENGTH,
      totalLength: limits.PROMPT_MAX_LENGTH,
      tokens: limits.PROMPT_MAX_TOKENS,
      totalTokens: limits.PROMPT_MAX_TOKENS,
      emptyText: false,
    }).meta({
      description: 'The text to continue, several texts, or the token IDs of one or several texts.',
      examples: ['Name three rivers in Europe.'],
    }),
    best_of: integer({ min: 1, max: 20 })
      .optional()
      .describe('Candidates to generate for each prompt. It must equal `n`: others are not supported.'),
    ...sampling.openModelSampling,
    echo: flag(
      'Whether each choice begins with the prompt. With `logprobs`, for models that can score a prompt.',
      false,
    ),
    frequency_penalty: sampling.penalty.optional().meta(sampling.frequencyPenaltyMeta),
    logit_bias: logitBiasSchema
      .optional()
      .meta({ description: 'Token IDs, each with a bias that is added to its logit.', examples: [{ '1734': -100 }] }),
    logprobs: integer({ min: 0, max: limits.TEXT_COMPLETION_LOGPROBS_MAX })
      .optional()
      .describe('Returns the log probability of each output token, and of this many of the most likely tokens.'),
    max_tokens: integer({ min: 0 })
      .optional()
      .meta({ description: 'Maximum number of tokens of each choice. 0 only together with `echo`.', default: 16 }),
    n: integer({ min: 1, max: limits.N_MAX })
      .optional()
      .meta({ description: 'Number of choices to generate for each prompt.', default: 1 }),
    presence_penalty: sampling.penalty.optional().meta(sampling.presencePenaltyMeta),
    seed: int64().optional().describe('The same request with the same seed gives the same reply, where possible.'),
    stop: z
      .union([stopSequence, z.array(stopSequence).max(limits.STOP_MAX_SEQUENCES)])
      .optional()
      .describe('Texts at which a choice ends. They are not returned.'),
    stream: flag('Whether to stream the reply.', false),
    stream_options: textStreamOptionsSchema.optional().describe('Options of a stream. Requires `stream`.'),
    suffix: z.string().optional().describe('Text that follows the completion, for models that fill in.'),
    temperature: sampling.temperature
      .optional()
      .meta({ description: 'How random the choice of tokens is.', default: 1 }),
    top_p: sampling.topP
      .optional()
      .meta({ description: 'Only the most likely tokens with this probability together are chosen from.', default: 1 }),
    user: z.string().optional().describe('ID of your end user.'),
  },
);

export const textCompletionLogprobsSchema = responseObject(
  'TextCompletionLogprobs',
  'Log probabilities of the tokens of a choice.',
  {
    tokens: z.array(z.string()).describe('The tokens.'),
    token_logprobs: z.array(z.number().nullable()).describe('Log probability of each token.'),
    top_logprobs: z
      .array(z.record(z.string(), z.number()).nullable())
      .describe('The most likely tokens at each position, with their log probabilities.'),
    text_offset: z.array(z.int()).describe('Position of each token in the text of the choice, in UTF-16 units.'),
  },
);

export const textCompletionChoiceSchema = responseObject('TextCompletionChoice', 'One continuation of a prompt.', {
  text: string('The text.', ' Danube, Rhine, Loire.'),
  index: count('Position of the choice: those of the first prompt come first.'),
  logprobs: textCompletionLogprobsSchema.nullable().describe('Null unless asked for.'),
  finish_reason: openEnum(['stop', 'length', 'content_filter'])
    .nullable()
    .describe('Why the choice ended. Null in chunks before its last.'),
});

export const textCompletionSchema = responseObject('TextCompletion', 'Continuations of one or several texts.', {
  id: string('ID of the completion.', 'cmpl-abc123'),
  object: constant('text_completion'),
  created: timestamp('When the completion was created.'),
  model: string('Model that generated the text.', 'simulator'),
  system_fingerprint: z.string().optional().describe('Changes when the model or its configuration does.'),
  choices: z.array(textCompletionChoiceSchema).describe('`n` choices for each prompt.'),
  usage: usageSchema.nullable().optional().describe('Tokens that the request used.'),
});
