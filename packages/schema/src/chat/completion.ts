import * as z from 'zod';
import { constant, count, openEnum, responseObject, string, timestamp } from '../fields/field.ts';
import { metadataSchema } from '../fields/metadata.ts';
import { annotationSchema, generatedFunctionCallSchema } from './messages.ts';
import { chatModerationSchema } from '../fields/requested-moderation.ts';
import { toolCallSchema } from './tools.ts';

export const finishReasonSchema = openEnum(
  ['stop', 'length', 'content_filter', 'tool_calls', 'function_call'],
  'Why the reply ended: naturally or at a stop sequence, at a token limit, by a content filter, or with calls.',
);
export const servedTierSchema = openEnum(
  ['auto', 'default', 'flex', 'scale', 'priority', 'fast'],
  'The tier that served the request.',
);

/** Fields that completions and chunks share. */
export const completionFields = <const Type extends string, Choice extends z.ZodType>(
  object: Type,
  created: string,
  choices: Choice,
) => ({
  id: string('ID of the completion.', 'chatcmpl-abc123'),
  object: constant(object),
  created: timestamp(created),
  model: string('Model that generated the reply.', 'simulator'),
  choices,
  service_tier: servedTierSchema.nullable().optional(),
  system_fingerprint: z.string().nullable().optional().meta({
    description: 'Configuration of the backend, to notice changes of it between requests with one `seed`.',
    deprecated: true,
  }),
});

export const topLogprobSchema = z
  .looseObject({
    token: string('Text of the token.', 'Rhine'),
    logprob: z.number().meta({
      description: 'Log probability of the token. -9999.0 marks a token outside the 20 most likely.',
      examples: [-0.31],
    }),
    bytes: z
      .array(z.int().min(0).max(255))
      .nullable()
      .meta({ description: 'UTF-8 bytes of the token.', examples: [[82, 104, 105, 110, 101]] }),
  })
  .describe('A token with its probability.');

export const tokenLogprobSchema = topLogprobSchema
  .extend({
    top_logprobs: z
      .array(topLogprobSchema)
      .describe('The most likely tokens at this position. May have fewer entries than requested.'),
  })
  .meta({ id: 'TokenLogprob', description: 'A generated token with its probability.' });

export const choiceLogprobsSchema = responseObject('ChoiceLogprobs', 'Log probabilities of the generated tokens.', {
  content: z.array(tokenLogprobSchema).nullable().describe('Tokens of the text.'),
  refusal: z.array(tokenLogprobSchema).nullable().describe('Tokens of the refusal.'),
});

export const audioSchema = responseObject('ChatCompletionAudio', 'A spoken reply.', {
  id: string('ID of the audio, for `audio.id` of an assistant message.', 'audio_abc123'),
  expires_at: timestamp('When the audio can no longer be referenced.'),
  data: z.string().describe('The audio in the requested format, in base64.'),
  transcript: z.string().describe('Text of what is spoken.'),
});

export const chatMessageSchema = responseObject('ChatCompletionMessage', 'A message that the model generated.', {
  role: constant('assistant'),
  content: z
    .string()
    .nullable()
    .meta({
      description: 'Text of the message. Null if there is none.',
      examples: ['The Rhine, the Danube and the Loire.'],
    }),
  refusal: z.string().nullable().describe('Text with which the model refused. Null if it did not.'),
  annotations: z.array(annotationSchema).optional().describe('Sources of the text, after a web search.'),
  audio: audioSchema.nullable().optional(),
  tool_calls: z.array(toolCallSchema).optional().describe('Calls of tools that the model asks for.'),
  function_call: generatedFunctionCallSchema
    .nullable()
    .optional()
    .meta({ description: 'A call of a function. Replaced by `tool_calls`.', deprecated: true }),
});

export const chatChoiceSchema = responseObject('ChatCompletionChoice', 'One of the replies.', {
  index: z.int().meta({ description: 'Position in `choices`.', minimum: 0, examples: [0] }),
  finish_reason: finishReasonSchema,
  message: chatMessageSchema,
  logprobs: choiceLogprobsSchema.nullable(),
});

export const usageSchema = responseObject('CompletionUsage', 'Tokens that the request used.', {
  prompt_tokens: count('Tokens of the request.'),
  completion_tokens: count('Tokens of all replies.'),
  total_tokens: count('Tokens of the request and the replies together.'),
  completion_tokens_details: z
    .looseObject({
      accepted_prediction_tokens: count('Tokens of the prediction that appear in the reply.').optional(),
      audio_tokens: count('Tokens of audio.').optional(),
      reasoning_tokens: count('Tokens that were used for reasoning.').optional(),
      rejected_prediction_tokens: count('Tokens of the prediction that do not appear in the reply.').optional(),
      text_tokens: count('Tokens of text.').optional(),
    })
    .optional()
    .describe('What the completion tokens consist of.'),
  prompt_tokens_details: z
    .looseObject({
      audio_tokens: count('Tokens of audio.').optional(),
      cached_tokens: count('Tokens that were read from a cache.').optional(),
      cache_write_tokens: count('Tokens that were written to a cache.').optional(),
      image_tokens: count('Tokens of images.').optional(),
      text_tokens: count('Tokens of text.').optional(),
    })
    .optional()
    .describe('What the prompt tokens consist of.'),
});

export const chatCompletionSchema = responseObject('ChatCompletion', 'The replies to a conversation.', {
  ...completionFields(
    'chat.completion',
    'When the completion was created.',
    z.array(chatChoiceSchema).describe('The replies: one, or as many as `n` asks for.'),
  ),
  usage: usageSchema.optional(),
  moderation: chatModerationSchema.nullable().optional(),
  metadata: metadataSchema.nullable().optional(),
});
