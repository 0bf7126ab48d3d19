import * as z from 'zod';
import { constant, id, open, timestamp } from '../field.ts';
import { annotationSchema } from './messages.ts';
import {
  choiceLogprobsSchema,
  completionFields,
  finishReasonSchema,
  servedTierSchema,
  usageSchema,
} from './completion.ts';

export const roleSchema = open(
  ['developer', 'system', 'user', 'assistant', 'tool', 'function'],
  'Role of the author of the message.',
);

const called = z.looseObject({
  name: z
    .string()
    .optional()
    .meta({ description: 'Name of the function.', examples: ['get_weather'] }),
  arguments: z.string().optional().describe('The next characters of the arguments.'),
});

export const deltaToolCallSchema = z
  .looseObject({
    index: z.int().meta({ description: 'Position in `tool_calls` of the message.', minimum: 0, examples: [0] }),
    id: id('ID of the call, in its first chunk.', 'call_abc123').optional(),
    type: open(['function', 'custom'], 'Type of the tool.').optional(),
    function: called.optional().describe('The call of a function.'),
    custom: z
      .looseObject({
        name: z.string().optional().describe('Name of the tool.'),
        input: z.string().optional().describe('The next characters of the input.'),
      })
      .optional()
      .describe('The call of a custom tool.'),
  })
  .meta({ id: 'ChatCompletionDeltaToolCall', description: 'The next part of a tool call.' });

export const deltaSchema = z
  .looseObject({
    role: roleSchema.optional(),
    content: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'The next characters of the text.', examples: ['The Rhi'] }),
    refusal: z.string().nullable().optional().describe('The next characters of the refusal.'),
    audio: z
      .looseObject({
        id: id('ID of the audio.', 'audio_abc123').optional(),
        expires_at: timestamp('When the audio can no longer be referenced.').optional(),
        data: z.string().optional().describe('The next bytes of the audio, in base64.'),
        transcript: z.string().optional().describe('The next characters of the transcript.'),
      })
      .nullable()
      .optional()
      .describe('The next part of a spoken reply.'),
    tool_calls: z.array(deltaToolCallSchema).optional().describe('The next parts of tool calls.'),
    annotations: z.array(annotationSchema).optional().describe('Sources of the text, after a web search.'),
    function_call: called
      .nullable()
      .optional()
      .meta({ description: 'The next part of a function call. Replaced by `tool_calls`.', deprecated: true }),
  })
  .meta({ id: 'ChatCompletionDelta', description: 'What a chunk adds to the message.' });

export const chunkChoiceSchema = z
  .looseObject({
    index: z.int().meta({ description: 'Which of the replies the chunk belongs to.', minimum: 0, examples: [0] }),
    delta: deltaSchema,
    finish_reason: finishReasonSchema.nullable().describe('Why the reply ended. Null before its last chunk.'),
    logprobs: choiceLogprobsSchema.nullable().optional(),
  })
  .meta({ id: 'ChatCompletionChunkChoice', description: 'The next part of one reply.' });

/** One event of a streamed completion (API: Chat completion chunk object). */
export const chatCompletionChunkSchema = z
  .looseObject({
    id: completionFields.id,
    object: constant('chat.completion.chunk'),
    created: timestamp('When the completion was created: the same in every chunk.'),
    model: completionFields.model,
    choices: z.array(chunkChoiceSchema).describe('The next parts of the replies. Empty in the usage chunk.'),
    service_tier: servedTierSchema.nullable().optional(),
    system_fingerprint: completionFields.systemFingerprint,
    usage: usageSchema
      .nullable()
      .optional()
      .describe('Tokens of the whole request, in the last chunk; null in the others. Only with `include_usage`.'),
    obfuscation: z
      .string()
      .optional()
      .meta({ description: 'Random characters that pad the event. See `include_obfuscation`.', examples: ['x7Kq2'] }),
  })
  .meta({ id: 'ChatCompletionChunk', description: 'One event of a streamed reply.' });
