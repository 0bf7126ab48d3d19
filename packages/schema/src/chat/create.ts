import * as z from 'zod';
import {
  constant,
  decimal,
  flag,
  int64,
  integer,
  nullableString,
  requestObject,
  string,
  text,
} from '../fields/field.ts';
import * as limits from '../limits.ts';
import { streamOptions } from '../fields/stream-options.ts';
import * as sampling from '../fields/sampling.ts';
import { metadataSchema } from '../fields/metadata.ts';
import { promptCacheOptionsSchema } from '../fields/prompt-cache.ts';
import { textContentSchema } from './content-parts.ts';
import { messageParamSchema } from './messages.ts';
import { chatModerationParamSchema } from '../fields/requested-moderation.ts';
import {
  chatToolSchema,
  functionCallChoiceSchema,
  functionDefinitionSchema,
  responseFormatSchema,
  toolChoiceSchema,
} from './tools.ts';
import { webSearchOptionsSchema } from './web-search.ts';

const builtInVoices = [
  'alloy',
  'ash',
  'ballad',
  'cedar',
  'coral',
  'echo',
  'fable',
  'marin',
  'nova',
  'onyx',
  'sage',
  'shimmer',
  'verse',
] as const;

export const audioParamSchema = requestObject('ChatCompletionAudioParam', 'Voice and format of spoken replies.', {
  voice: z
    .union([z.enum(builtInVoices), z.strictObject({ id: string('ID of a custom voice.', 'voice_abc123') })])
    .describe('The voice: one of the built-in voices, or a custom voice.'),
  format: z.enum(['wav', 'aac', 'mp3', 'flac', 'opus', 'pcm16']).describe('Format of the audio.'),
});

export const predictionSchema = requestObject('ChatCompletionPrediction', 'Text that is expected in the reply.', {
  type: constant('content'),
  content: textContentSchema.describe('The expected text.'),
});

export const streamOptionsSchema = requestObject('ChatCompletionStreamOptions', 'Options of a stream.', {
  ...streamOptions,
  resumable: flag(
    'Whether the stream can be resumed after a dropped connection: each event has an `id`, and the reply is generated to its end. ' +
      'Streams with an `Idempotency-Key` or `store` can be resumed in any case.',
    false,
  ),
});

export const logitBiasSchema = z.record(
  z.string().regex(/^(?:0|[1-9][0-9]{0,9})$/, { error: 'a token ID: a non-negative integer written in digits' }),
  decimal({ min: limits.LOGIT_BIAS_MIN, max: limits.LOGIT_BIAS_MAX }),
);

/** Shape of the body of Create chat completion. The rules between fields are in `rules.ts`. */
export const chatCompletionCreateParamsSchema = requestObject(
  'ChatCompletionCreateParams',
  'A request for replies to a conversation.',
  {
    messages: z
      .array(messageParamSchema)
      .min(1)
      .max(limits.MESSAGES_MAX)
      .meta({
        description: 'The conversation so far.',
        examples: [[{ role: 'user', content: 'Name three rivers in Europe.' }]],
      }),
    model: text({ min: 1 }).meta({ description: 'ID of the model.', examples: ['simulator'] }),
    store: z
      .boolean()
      .nullable()
      .optional()
      .meta({ description: 'Whether to store the completion, to be listed and read later.', default: false }),
    reasoning_effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']).nullable().optional().meta({
      description: 'How much the model reasons before it replies. Models differ in the values they support.',
      default: 'medium',
    }),
    metadata: metadataSchema.nullable().optional(),
    moderation: chatModerationParamSchema.nullable().optional(),
    ...sampling.openModelSampling,
    frequency_penalty: sampling.penalty.nullable().optional().meta(sampling.frequencyPenaltyMeta),
    presence_penalty: sampling.penalty.nullable().optional().meta(sampling.presencePenaltyMeta),
    logit_bias: logitBiasSchema
      .nullable()
      .optional()
      .meta({
        description: `Token IDs, each with a bias from ${limits.LOGIT_BIAS_MIN} to ${limits.LOGIT_BIAS_MAX} that is added to its logit.`,
        default: null,
        examples: [{ '1734': -100 }],
      }),
    logprobs: z
      .boolean()
      .nullable()
      .optional()
      .meta({ description: 'Whether to return the log probability of each output token.', default: false }),
    top_logprobs: integer({ min: 0, max: limits.TOP_LOGPROBS_MAX })
      .nullable()
      .optional()
      .describe('How many of the most likely tokens to return at each position. Requires `logprobs`.'),
    max_tokens: integer({ min: 1 }).nullable().optional().meta({
      description: 'Maximum number of tokens of each choice. Replaced by `max_completion_tokens`.',
      deprecated: true,
    }),
    max_completion_tokens: integer({ min: 1 })
      .nullable()
      .optional()
      .describe('Maximum number of tokens of each choice, reasoning included.'),
    n: integer({ min: 1, max: limits.N_MAX })
      .nullable()
      .optional()
      .meta({ description: 'Number of choices to generate.', default: 1 }),
    modalities: z
      .array(z.enum(['text', 'audio']))
      .min(1)
      .max(2)
      .nullable()
      .optional()
      .meta({ description: 'Types of output.', default: ['text'] }),
    prediction: predictionSchema.nullable().optional().describe('Text that is expected in the reply.'),
    audio: audioParamSchema
      .nullable()
      .optional()
      .describe('Voice and format of spoken replies. Required when `modalities` includes `audio`.'),
    response_format: responseFormatSchema.optional().describe('Form of the reply.'),
    seed: int64().nullable().optional().meta({
      description: 'Makes sampling repeatable, as far as the model allows. Any 64-bit integer.',
      deprecated: true,
    }),
    service_tier: z.enum(['auto', 'default', 'flex', 'scale', 'priority', 'fast']).nullable().optional().meta({
      description: 'The processing tier of the request. `fast` is another name of `priority`.',
      default: 'auto',
    }),
    stop: z
      .union([sampling.stopSequence, z.array(sampling.stopSequence).max(limits.STOP_MAX_SEQUENCES)])
      .nullable()
      .optional()
      .meta({
        description: `Up to ${limits.STOP_MAX_SEQUENCES} sequences at which the reply stops.`,
        default: null,
        examples: ['\n'],
      }),
    stream: z
      .boolean()
      .nullable()
      .optional()
      .meta({ description: 'Whether to send the reply as server-sent events.', default: false }),
    stream_options: streamOptionsSchema
      .nullable()
      .optional()
      .meta({ description: 'Options of the stream. Requires `stream`.', default: null }),
    temperature: sampling.temperature.nullable().optional().meta({
      description: 'Sampling temperature: higher values are more random. Change this or `top_p`, not both.',
      default: 1,
    }),
    top_p: sampling.topP.nullable().optional().meta({
      description: 'Probability mass of the tokens to sample from. Change this or `temperature`, not both.',
      default: 1,
    }),
    tools: z.array(chatToolSchema).min(1).max(limits.TOOLS_MAX).optional().describe('Tools that the model may call.'),
    tool_choice: toolChoiceSchema
      .optional()
      .describe('Which tools the model calls. Default: `auto` with tools, `none` without.'),
    parallel_tool_calls: flag('Whether the model may call several tools in one reply.', true),
    safety_identifier: nullableString('A stable identifier of your user, preferably hashed.', 'user-4f2a'),
    prompt_cache_key: z.string().nullable().optional().describe('Groups requests with similar prompts for caching.'),
    prompt_cache_retention: z
      .enum(['24h', 'in_memory'])
      .nullable()
      .optional()
      .describe('How long a cached prompt is kept.'),
    prompt_cache_options: promptCacheOptionsSchema.nullable().optional(),
    user: z.string().optional().meta({
      description: 'An identifier of your user. Replaced by `safety_identifier` and `prompt_cache_key`.',
      deprecated: true,
    }),
    verbosity: z
      .enum(['low', 'medium', 'high'])
      .nullable()
      .optional()
      .meta({ description: 'How detailed the reply is.', default: 'medium' }),
    web_search_options: webSearchOptionsSchema.optional(),
    function_call: functionCallChoiceSchema
      .optional()
      .meta({ description: 'Which function the model calls. Replaced by `tool_choice`.', deprecated: true }),
    functions: z
      .array(functionDefinitionSchema)
      .min(1)
      .max(limits.TOOLS_MAX)
      .optional()
      .meta({ description: 'Functions that the model may call. Replaced by `tools`.', deprecated: true }),
  },
);
