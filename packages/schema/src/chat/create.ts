import * as z from 'zod';
import { decimal, integer, text } from '../field.ts';
import {
  LOGIT_BIAS_MAX,
  LOGIT_BIAS_MIN,
  MESSAGES_MAX,
  N_MAX,
  PENALTY_MAX,
  PENALTY_MIN,
  STOP_MAX_LENGTH,
  STOP_MAX_SEQUENCES,
  TEMPERATURE_MAX,
  TEMPERATURE_MIN,
  TOOLS_MAX,
  TOP_LOGPROBS_MAX,
  TOP_P_MAX,
  TOP_P_MIN,
} from '../limits.ts';
import { metadataSchema } from '../metadata.ts';
import { textContentSchema } from './content-parts.ts';
import { messageParamSchema } from './messages.ts';
import {
  chatToolSchema,
  functionCallChoiceSchema,
  functionDefinitionSchema,
  responseFormatSchema,
  toolChoiceSchema,
} from './tools.ts';
import { webSearchOptionsSchema } from './web-search.ts';

const penalty = decimal({ min: PENALTY_MIN, max: PENALTY_MAX }).nullable().optional();
const stopSequence = text({ min: 1, max: STOP_MAX_LENGTH }).check(({ value, issues }) => {
  // Half of a surrogate pair stops in the middle of a character.
  if (!value.isWellFormed()) issues.push({ code: 'custom', message: 'expected whole characters', input: value });
});

export const audioParamSchema = z
  .strictObject({
    voice: z.union([
      z.enum(['alloy', 'ash', 'ballad', 'coral', 'echo', 'fable', 'nova', 'onyx', 'sage', 'shimmer', 'verse']),
      z.strictObject({ id: z.string() }),
    ]),
    format: z.enum(['wav', 'mp3', 'flac', 'opus', 'pcm16']),
  })
  .meta({ id: 'ChatCompletionAudioParam' });

export const predictionSchema = z
  .strictObject({ type: z.literal('content'), content: textContentSchema })
  .meta({ id: 'ChatCompletionPrediction' });

export const streamOptionsSchema = z
  .strictObject({
    include_obfuscation: z
      .boolean()
      .optional()
      .meta({ description: 'Even out the size of events with random characters.', default: true }),
    include_usage: z.boolean().optional().describe('A last chunk with the usage of the whole request.'),
  })
  .meta({ id: 'ChatCompletionStreamOptions' });

export const logitBiasSchema = z.record(
  z.string().regex(/^(?:0|[1-9][0-9]{0,9})$/, { error: 'a token id: a non-negative integer written in digits' }),
  decimal({ min: LOGIT_BIAS_MIN, max: LOGIT_BIAS_MAX }),
);

/** Body of Create chat completion, its shape alone; the rules between fields are in `rules.ts`. */
export const chatCompletionCreateParamsSchema = z
  .strictObject({
    messages: z.array(messageParamSchema).min(1).max(MESSAGES_MAX).describe('The conversation so far.'),
    model: text({ min: 1 }).describe('Id of the model.'),
    store: z.boolean().nullable().optional().meta({ description: 'Keep the completion.', default: false }),
    reasoning_effort: z
      .enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh'])
      .nullable()
      .optional()
      .meta({ description: 'How much to reason; models differ in what they take.', default: 'medium' }),
    metadata: metadataSchema.nullable().optional(),
    frequency_penalty: penalty.meta({ description: 'Against tokens by how often they came.', default: 0 }),
    presence_penalty: penalty.meta({ description: 'Against tokens that came at all.', default: 0 }),
    logit_bias: logitBiasSchema.nullable().optional().meta({ description: 'Token id to bias.', default: null }),
    logprobs: z.boolean().nullable().optional().meta({ description: 'Answer log probabilities.', default: false }),
    top_logprobs: integer({ min: 0, max: TOP_LOGPROBS_MAX })
      .nullable()
      .optional()
      .describe('Likeliest tokens at each place; needs `logprobs`.'),
    max_tokens: integer({ min: 1 })
      .nullable()
      .optional()
      .meta({ description: 'Replaced by `max_completion_tokens`.', deprecated: true }),
    max_completion_tokens: integer({ min: 1 }).nullable().optional().describe('Most tokens of each choice.'),
    n: integer({ min: 1, max: N_MAX }).nullable().optional().meta({ description: 'Number of choices.', default: 1 }),
    modalities: z
      .array(z.enum(['text', 'audio']))
      .min(1)
      .max(2)
      .nullable()
      .optional()
      .meta({ description: 'Kinds of output.', default: ['text'] }),
    prediction: predictionSchema.nullable().optional().describe('Text that the answer is likely to hold.'),
    audio: audioParamSchema.nullable().optional().describe('Required for audio output.'),
    response_format: responseFormatSchema.optional().describe('Form of the answer.'),
    seed: integer().nullable().optional().meta({ description: 'Repeatable sampling, at best.', deprecated: true }),
    service_tier: z
      .enum(['auto', 'default', 'flex', 'priority'])
      .nullable()
      .optional()
      .meta({ description: 'How to serve the request.', default: 'auto' }),
    stop: z
      .union([stopSequence, z.array(stopSequence).max(STOP_MAX_SEQUENCES)])
      .nullable()
      .optional()
      .meta({ description: 'Where to stop.', default: null }),
    stream: z.boolean().nullable().optional().meta({ description: 'Answer by server-sent events.', default: false }),
    stream_options: streamOptionsSchema.nullable().optional().meta({ description: 'Needs `stream`.', default: null }),
    temperature: decimal({ min: TEMPERATURE_MIN, max: TEMPERATURE_MAX })
      .nullable()
      .optional()
      .meta({ description: 'Randomness. Change this or `top_p`, not both.', default: 1 }),
    top_p: decimal({ min: TOP_P_MIN, max: TOP_P_MAX })
      .nullable()
      .optional()
      .meta({ description: 'Share of the probability to sample from.', default: 1 }),
    tools: z.array(chatToolSchema).min(1).max(TOOLS_MAX).optional().describe('What the model may call.'),
    tool_choice: toolChoiceSchema.optional().describe('`auto` with tools, else `none`.'),
    parallel_tool_calls: z.boolean().optional().meta({ description: 'Several calls at once.', default: true }),
    safety_identifier: z.string().nullable().optional().describe('Stable id of your user, best hashed.'),
    prompt_cache_key: z.string().nullable().optional().describe('Groups requests with alike prompts.'),
    prompt_cache_retention: z.enum(['24h', 'in_memory']).nullable().optional(),
    user: z
      .string()
      .optional()
      .meta({ description: 'Replaced by `safety_identifier` and `prompt_cache_key`.', deprecated: true }),
    verbosity: z
      .enum(['low', 'medium', 'high'])
      .nullable()
      .optional()
      .meta({ description: 'Length of the answer.', default: 'medium' }),
    web_search_options: webSearchOptionsSchema.optional(),
    function_call: functionCallChoiceSchema
      .optional()
      .meta({ description: 'Replaced by `tool_choice`.', deprecated: true }),
    functions: z
      .array(functionDefinitionSchema)
      .min(1)
      .max(TOOLS_MAX)
      .optional()
      .meta({ description: 'Replaced by `tools`.', deprecated: true }),
  })
  .meta({ id: 'ChatCompletionCreateParams' });
