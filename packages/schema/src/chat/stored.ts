import * as z from 'zod';
import { deletionOf } from '../fields/deletion.ts';
import { integer, jsonObject, requestObject, string } from '../fields/field.ts';
import { lenient } from '../parsing/lenient.ts';
import { metadataSchema } from '../fields/metadata.ts';
import { listOf, orderQuery, pageQuery } from '../fields/paging.ts';
import { SEARCH_MAX } from '../limits.ts';
import { roleSchema } from './chunk.ts';
import { chatCompletionSchema, chatMessageSchema } from './completion.ts';
import { imagePartSchema, textPartSchema } from './content-parts.ts';
import { chatToolSchema, responseFormatSchema, toolChoiceSchema } from './tools.ts';

const sampling = (field: string) =>
  z
    .number()
    .nullable()
    .optional()
    .meta({ description: `The \`${field}\` of the request.`, examples: [1] });

const milliseconds = (description: string) =>
  z
    .number()
    .nullable()
    .optional()
    .meta({ description: `${description} In milliseconds.`, examples: [350] });

/** A completion that was stored with `store: true`, with its request parameters. */
export const storedChatCompletionSchema = chatCompletionSchema
  .extend({
    request_id: string('ID of the request that created the completion.', 'req_abc123').nullable().optional(),
    tool_choice: lenient(toolChoiceSchema).nullable().optional().describe('The `tool_choice` of the request.'),
    seed: z
      .int()
      .nullable()
      .optional()
      .meta({ description: 'The `seed` of the request.', examples: [42] }),
    top_p: sampling('top_p'),
    temperature: sampling('temperature'),
    presence_penalty: sampling('presence_penalty'),
    frequency_penalty: sampling('frequency_penalty'),
    input_user: z.string().nullable().optional().describe('The `user` of the request.'),
    tools: z.array(lenient(chatToolSchema)).nullable().optional().describe('The `tools` of the request.'),
    response_format: lenient(responseFormatSchema)
      .nullable()
      .optional()
      .describe('The `response_format` of the request.'),
    api_key_id: string('ID of the key that created the completion.', 'key_abc123').nullable().optional(),
    project_id: string('ID of the project. Only where the query has `project_id`.', 'proj_abc123').optional(),
    duration_ms: milliseconds('From the request to the end of the reply.'),
    first_token_ms: milliseconds('From the request to the first token of the reply.'),
    cost: z
      .strictObject({
        value: z.number().meta({ description: 'In units of the currency.', examples: [0.0012] }),
        currency: string('Currency of the price table.', 'usd'),
      })
      .nullable()
      .optional()
      .describe('What the completion cost, at the price of that time. Null if the model has no price.'),
    prompt_excerpt: z
      .string()
      .nullable()
      .optional()
      .describe('The first 200 characters of the last message of the user. Null if it has no text.'),
    excerpt: z
      .string()
      .nullable()
      .optional()
      .describe(
        'Only in a list with `view=summary`: the first 200 characters of the first reply, of its refusal, or of its first tool call, such as ' +
          '`get_weather({"city":"Bern"})`. Null for an empty reply.',
      ),
    finish_reason: z
      .string()
      .nullable()
      .optional()
      .describe('Only in a list with `view=summary`: the `finish_reason` of the first choice.'),
    request_parameters: jsonObject()
      .nullable()
      .optional()
      .meta({
        description:
          'Only with `include[]=request_parameters`: the `model` of the request, and its parameters that have no field of their own here, ' +
          'such as `max_completion_tokens`, `stop` and `reasoning_effort`.',
        examples: [{ model: 'simulator', max_completion_tokens: 100 }],
      }),
  })
  .meta({ id: 'StoredChatCompletion', description: 'A stored completion, with parameters of its request.' });

/** Body of Update chat completion: only the metadata can change. */
export const chatCompletionUpdateParamsSchema = requestObject(
  'ChatCompletionUpdateParams',
  'What changes in a stored completion.',
  { metadata: metadataSchema },
);

const projectQuery = {
  project_id: z
    .string()
    .optional()
    .describe(
      'Read in this project in place of that of the key, or in all projects if it is `*`. Other projects need a key with the role `admin`.',
    ),
};

export const chatCompletionListQuerySchema = z.strictObject({
  ...projectQuery,
  model: z.string().optional().describe('Return only completions of this model.'),
  metadata: metadataSchema
    .optional()
    .describe('Return only completions whose metadata has these pairs, written `metadata[key]=value`.'),
  api_key_id: z.string().optional().describe('Return only completions that the key with this ID created.'),
  finish_reason: z
    .string()
    .optional()
    .describe('Return only completions whose first choice has this `finish_reason`, such as `length`.'),
  search: z
    .string()
    .min(1)
    .max(SEARCH_MAX)
    .optional()
    .meta({
      description:
        'Return only completions that have all of these words in their prompt, reply or tool calls. `"Several words"` in quotes follow ' +
        'each other, and `start*` finds the start of words. Case and accents make no difference.',
      examples: ['"opening hours" muse*'],
    }),
  start_time: integer({ min: 0 })
    .optional()
    .describe('Return only completions created from this time on, in Unix seconds (inclusive).'),
  end_time: integer({ min: 0 })
    .optional()
    .describe('Return only completions created before this time, in Unix seconds (exclusive).'),
  view: z
    .enum(['full', 'summary'])
    .optional()
    .meta({
      description:
        'How much of each completion to return. `summary` leaves out what can be large: `choices` is empty, `tools`, `tool_choice` ' +
        'and `response_format` are absent, and `excerpt` has the start of the reply.',
      default: 'full',
    }),
  ...pageQuery(),
  ...orderQuery('asc'),
});

export const chatCompletionRetrieveQuerySchema = z.strictObject({
  ...projectQuery,
  include: z
    .array(z.enum(['request_parameters']))
    .max(1)
    .optional()
    .describe(
      'What to return in addition. `request_parameters`: the parameters of the request that have no field of their own.',
    ),
});

export const chatCompletionResumeQuerySchema = z.strictObject({
  starting_after: integer({ min: 0 })
    .optional()
    .describe('The `id` of the last event that was received. Default: the stream is sent from its start.'),
});

export const chatMessageListQuerySchema = z.strictObject({ ...projectQuery, ...pageQuery(), ...orderQuery('asc') });

export const chatCompletionListSchema = listOf(
  'ChatCompletionList',
  'A page of stored completions.',
  storedChatCompletionSchema,
);

export const storedMessageSchema = chatMessageSchema
  .extend({
    id: string('ID of the message.', 'chatcmpl-abc123-0'),
    role: roleSchema,
    refusal: z.string().nullable().optional().describe('Text with which the model refused. Null if it did not.'),
    name: z.string().nullable().optional().describe('Name of the participant.'),
    tool_call_id: z.string().optional().describe('Of a tool message: the ID of the call that it is the result of.'),
    content_parts: z
      .array(z.discriminatedUnion('type', [lenient(textPartSchema), lenient(imagePartSchema)]))
      .nullable()
      .optional()
      .describe('Content parts of a user message, if it was sent as parts.'),
  })
  .meta({ id: 'ChatCompletionStoredMessage', description: 'A message of a stored completion.' });

export const chatMessageListSchema = listOf(
  'ChatCompletionMessageList',
  'A page of the messages of a stored completion.',
  storedMessageSchema,
);

export const chatCompletionDeletedSchema = deletionOf('completion', {
  id: 'chatcmpl-abc123',
  object: 'chat.completion.deleted',
}).meta({ id: 'ChatCompletionDeleted', description: 'A completion that was deleted.' });
