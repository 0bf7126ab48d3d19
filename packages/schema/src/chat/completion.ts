import * as z from 'zod';
import { open, timestamp } from '../field.ts';
import { metadataSchema } from '../metadata.ts';
import { annotationSchema, generatedFunctionCallSchema } from './messages.ts';
import { toolCallSchema } from './tools.ts';

export const finishReasonSchema = open(['stop', 'length', 'content_filter', 'tool_calls', 'function_call']);
export const servedTierSchema = open(['auto', 'default', 'flex', 'priority']);

export const topLogprobSchema = z.looseObject({
  token: z.string(),
  logprob: z.number().describe('-9999.0 marks a token outside the 20 most likely.'),
  bytes: z.array(z.int()).nullable().describe('UTF-8 bytes of the token.'),
});

export const tokenLogprobSchema = topLogprobSchema
  .extend({ top_logprobs: z.array(topLogprobSchema) })
  .meta({ id: 'TokenLogprob' });

export const choiceLogprobsSchema = z
  .looseObject({ content: z.array(tokenLogprobSchema).nullable(), refusal: z.array(tokenLogprobSchema).nullable() })
  .meta({ id: 'ChoiceLogprobs' });

export const audioSchema = z
  .looseObject({ id: z.string(), expires_at: timestamp(), data: z.string(), transcript: z.string() })
  .meta({ id: 'ChatCompletionAudio' });

const messageContent = {
  content: z.string().nullable(),
  refusal: z.string().nullable(),
  annotations: z.array(annotationSchema).optional(),
  audio: audioSchema.nullable().optional(),
  tool_calls: z.array(toolCallSchema).optional(),
  function_call: generatedFunctionCallSchema.nullable().optional().meta({ deprecated: true }),
};

export const chatMessageSchema = z
  .looseObject({ role: z.literal('assistant'), ...messageContent })
  .meta({ id: 'ChatCompletionMessage' });

export const chatChoiceSchema = z
  .looseObject({
    index: z.int(),
    finish_reason: finishReasonSchema,
    message: chatMessageSchema,
    logprobs: choiceLogprobsSchema.nullable(),
  })
  .meta({ id: 'ChatCompletionChoice' });

export const usageSchema = z
  .looseObject({
    prompt_tokens: z.int(),
    completion_tokens: z.int(),
    total_tokens: z.int(),
    completion_tokens_details: z
      .looseObject({
        accepted_prediction_tokens: z.int().optional(),
        audio_tokens: z.int().optional(),
        reasoning_tokens: z.int().optional(),
        rejected_prediction_tokens: z.int().optional(),
      })
      .optional(),
    prompt_tokens_details: z
      .looseObject({ audio_tokens: z.int().optional(), cached_tokens: z.int().optional() })
      .optional(),
  })
  .meta({ id: 'CompletionUsage' });

export const chatCompletionSchema = z
  .looseObject({
    id: z.string(),
    object: z.literal('chat.completion'),
    created: timestamp(),
    model: z.string(),
    choices: z.array(chatChoiceSchema),
    service_tier: servedTierSchema.nullable().optional().describe('The tier that served the request.'),
    system_fingerprint: z.string().nullable().optional().meta({ deprecated: true }),
    usage: usageSchema.optional(),
    metadata: metadataSchema.nullable().optional(),
  })
  .meta({ id: 'ChatCompletion' });
