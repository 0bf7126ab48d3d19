import * as z from 'zod';
import { nullableString, openEnum, optionalString, responseObject, timestamp } from '../fields/field.ts';
import { annotationSchema } from './messages.ts';
import { chatModerationSchema } from '../fields/requested-moderation.ts';
import { choiceLogprobsSchema, completionFields, finishReasonSchema, usageSchema } from './completion.ts';

export const roleSchema = openEnum(
  ['developer', 'system', 'user', 'assistant', 'tool', 'function'],
  'Role of the author of the message.',
);

const called = z.looseObject({
  name: optionalString('Name of the function.', 'get_weather'),
  arguments: z.string().optional().describe('The next characters of the arguments.'),
});

export const deltaToolCallSchema = responseObject('ChatCompletionDeltaToolCall', 'The next part of a tool call.', {
  index: z.int().meta({ description: 'Position in `tool_calls` of the message.', minimum: 0, examples: [0] }),
  id: optionalString('ID of the call, in its first chunk.', 'call_abc123'),
  type: openEnum(['function', 'custom'], 'Type of the tool.').optional(),
  function: called.optional().describe('The call of a function.'),
  custom: z
    .looseObject({
      name: z.string().optional().describe('Name of the tool.'),
      input: z.string().optional().describe('The next characters of the input.'),
    })
    .optional()
    .describe('The call of a custom tool.'),
});

export const deltaSchema = responseObject('ChatCompletionDelta', 'What a chunk adds to the message.', {
  role: roleSchema.optional(),
  content: nullableString('The next characters of the text.', 'The Rhi'),
  refusal: z.string().nullable().optional().describe('The next characters of the refusal.'),
  audio: z
    .looseObject({
      id: optionalString('ID of the audio.', 'audio_abc123'),
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
});

export const chunkChoiceSchema = responseObject('ChatCompletionChunkChoice', 'The next part of one reply.', {
  index: z.int().meta({ description: 'Which of the replies the chunk belongs to.', minimum: 0, examples: [0] }),
  delta: deltaSchema,
  finish_reason: finishReasonSchema.nullable().describe('Why the reply ended. Null before its last chunk.'),
  logprobs: choiceLogprobsSchema.nullable().optional(),
});

/** One event of a streamed completion (API: Chat completion chunk object). */
export const chatCompletionChunkSchema = responseObject('ChatCompletionChunk', 'One event of a streamed reply.', {
  ...completionFields(
    'chat.completion.chunk',
    'When the completion was created: the same in every chunk.',
    z.array(chunkChoiceSchema).describe('The next parts of the replies. Empty in the chunks of moderation and usage.'),
  ),
  usage: usageSchema
    .nullable()
    .optional()
    .describe('Tokens of the whole request, in the last chunk; null in the others. Only with `include_usage`.'),
  moderation: chatModerationSchema
    .nullable()
    .optional()
    .describe('Results of the moderation that the request asked for, in a chunk of their own without choices.'),
  obfuscation: optionalString('Random characters that pad the event. See `include_obfuscation`.', 'x7Kq2'),
});
