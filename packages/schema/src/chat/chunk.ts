import * as z from 'zod';
import { open, timestamp } from '../field.ts';
import { annotationSchema } from './messages.ts';
import { choiceLogprobsSchema, finishReasonSchema, servedTierSchema, usageSchema } from './completion.ts';

export const roleSchema = open(['developer', 'system', 'user', 'assistant', 'tool', 'function']);

const called = z.looseObject({ name: z.string().optional(), arguments: z.string().optional() });

export const deltaToolCallSchema = z
  .looseObject({
    index: z.int(),
    id: z.string().optional(),
    type: open(['function', 'custom']).optional(),
    function: called.optional(),
    custom: z.looseObject({ name: z.string().optional(), input: z.string().optional() }).optional(),
  })
  .meta({ id: 'ChatCompletionDeltaToolCall' });

export const deltaSchema = z
  .looseObject({
    role: roleSchema.optional(),
    content: z.string().nullable().optional(),
    refusal: z.string().nullable().optional(),
    audio: z
      .looseObject({
        id: z.string().optional(),
        expires_at: timestamp().optional(),
        data: z.string().optional(),
        transcript: z.string().optional(),
      })
      .nullable()
      .optional(),
    tool_calls: z.array(deltaToolCallSchema).optional(),
    annotations: z.array(annotationSchema).optional(),
    function_call: called.nullable().optional().meta({ deprecated: true }),
  })
  .meta({ id: 'ChatCompletionDelta' });

export const chunkChoiceSchema = z
  .looseObject({
    index: z.int(),
    delta: deltaSchema,
    finish_reason: finishReasonSchema.nullable(),
    logprobs: choiceLogprobsSchema.nullable().optional(),
  })
  .meta({ id: 'ChatCompletionChunkChoice' });

/** One event of a streamed completion (interface: Chat completion chunk object). */
export const chatCompletionChunkSchema = z
  .looseObject({
    id: z.string(),
    object: z.literal('chat.completion.chunk'),
    created: timestamp(),
    model: z.string(),
    choices: z.array(chunkChoiceSchema).describe('Empty in the usage chunk.'),
    service_tier: servedTierSchema.nullable().optional(),
    system_fingerprint: z.string().nullable().optional().meta({ deprecated: true }),
    usage: usageSchema.nullable().optional().describe('Null but in the last chunk; only when asked for.'),
    obfuscation: z.string().optional().describe('Random characters that even out payload sizes.'),
  })
  .meta({ id: 'ChatCompletionChunk' });
