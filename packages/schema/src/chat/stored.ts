import * as z from 'zod';
import { lenient } from '../lenient.ts';
import { metadataSchema } from '../metadata.ts';
import { listOf, orderQuery, pageQuery } from '../paging.ts';
import { roleSchema } from './chunk.ts';
import { chatCompletionSchema, chatMessageSchema } from './completion.ts';
import { imagePartSchema, textPartSchema } from './content-parts.ts';
import { chatToolSchema, responseFormatSchema, toolChoiceSchema } from './tools.ts';

/** A completion kept with `store: true`, with the parameters that made it. */
export const storedChatCompletionSchema = chatCompletionSchema
  .extend({
    request_id: z.string().nullable().optional(),
    tool_choice: lenient(toolChoiceSchema).nullable().optional(),
    seed: z.int().nullable().optional(),
    top_p: z.number().nullable().optional(),
    temperature: z.number().nullable().optional(),
    presence_penalty: z.number().nullable().optional(),
    frequency_penalty: z.number().nullable().optional(),
    input_user: z.string().nullable().optional(),
    tools: z.array(lenient(chatToolSchema)).nullable().optional(),
    response_format: lenient(responseFormatSchema).nullable().optional(),
  })
  .meta({ id: 'StoredChatCompletion' });

/** Body of Update chat completion: metadata is all that can change. */
export const chatCompletionUpdateParamsSchema = z
  .strictObject({ metadata: metadataSchema })
  .meta({ id: 'ChatCompletionUpdateParams' });

export const chatCompletionListQuerySchema = z.strictObject({
  model: z.string().optional().describe('Only completions of this model.'),
  metadata: metadataSchema.optional().describe('Only completions with these pairs: `metadata[key]=value`.'),
  ...pageQuery(),
  ...orderQuery('asc'),
});

export const chatMessageListQuerySchema = z.strictObject({ ...pageQuery(), ...orderQuery('asc') });

export const chatCompletionListSchema = listOf(storedChatCompletionSchema).meta({ id: 'ChatCompletionList' });

export const storedMessageSchema = chatMessageSchema
  .extend({
    id: z.string(),
    role: roleSchema,
    refusal: z.string().nullable().optional(),
    name: z.string().nullable().optional(),
    content_parts: z
      .array(z.discriminatedUnion('type', [lenient(textPartSchema), lenient(imagePartSchema)]))
      .nullable()
      .optional(),
  })
  .meta({ id: 'ChatCompletionStoredMessage' });

export const chatMessageListSchema = listOf(storedMessageSchema).meta({ id: 'ChatCompletionMessageList' });

export const chatCompletionDeletedSchema = z
  .looseObject({ id: z.string(), object: z.literal('chat.completion.deleted'), deleted: z.boolean() })
  .meta({ id: 'ChatCompletionDeleted' });
