import * as z from 'zod';
import { constant, count, openEnum, responseObject, string, timestamp } from '../fields/field.ts';
import { metadataSchema } from '../fields/metadata.ts';
import { responseModerationSchema } from '../fields/requested-moderation.ts';
import { tokenUsage } from '../fields/token-usage.ts';
import { responseOutputItemSchema } from './output-items.ts';
import { responseTextFormatSchema, responseShownToolSchema, responseToolChoiceSchema } from './tools.ts';

const usage = tokenUsage({
  input: 'Tokens of the input.',
  cached: 'Tokens that were read from a cache.',
  output: 'Tokens of the output.',
  reasoning: 'Tokens that were used for reasoning.',
  total: 'Tokens of the input and the output together.',
});

export const responseUsageSchema = responseObject('ResponseUsage', 'Tokens that the response used.', {
  ...usage,
  input_tokens_details: usage.input_tokens_details
    .extend({ cache_write_tokens: count('Tokens that were written to a cache.') })
    .describe('Details of the input tokens.'),
});

const nullableText = (description: string): z.ZodNullable<z.ZodString> => z.string().nullable().describe(description);

export const responseSchema = responseObject('ResponseObject', 'The response of a model.', {
  id: string('ID of the response.', 'resp_abc123'),
  object: constant('response'),
  created_at: timestamp('When the response was created.'),
  status: openEnum(
    ['queued', 'in_progress', 'completed', 'incomplete', 'failed', 'cancelled'],
    'How far the response is, or how it ended.',
  ),
  completed_at: timestamp('When the response was completed.').nullable(),
  error: z
    .looseObject({
      code: string('Machine-readable code.', 'server_error'),
      message: z.string().describe('Human-readable description of the problem.'),
    })
    .nullable()
    .describe('Why the response failed. Null unless it did.'),
  incomplete_details: z
    .looseObject({ reason: openEnum(['max_output_tokens', 'content_filter'], 'Why the response is incomplete.') })
    .nullable()
    .describe('Null unless the status is `incomplete`.'),
  output: z.array(responseOutputItemSchema).describe('What the model generated, in order.'),
  usage: responseUsageSchema.nullable().describe('Null until the response has ended.'),
  instructions: nullableText('The instructions of the request.'),
  model: string('Model that generates the response.', 'simulator'),
  tools: z.array(responseShownToolSchema).describe('The tools that the model saw.'),
  tool_choice: responseToolChoiceSchema,
  parallel_tool_calls: z.boolean().describe('Whether the model may call several tools.'),
  temperature: z.number().describe('Sampling temperature.'),
  top_p: z.number().describe('Probability mass of the tokens to sample from.'),
  top_logprobs: z.int().describe('How many of the most likely tokens were asked for at each position.'),
  presence_penalty: z.number().describe('Presence penalty.'),
  frequency_penalty: z.number().describe('Frequency penalty.'),
  max_output_tokens: z.int().nullable().describe('Maximum number of output tokens.'),
  max_tool_calls: z.int().nullable().describe('Maximum number of calls of tools that the server runs.'),
  metadata: metadataSchema,
  previous_response_id: nullableText('The response that this one continues.'),
  conversation: z
    .looseObject({ id: string('ID of the conversation.', 'conv_abc123') })
    .nullable()
    .describe('The conversation that the response belongs to.'),
  reasoning: z
    .looseObject({
      effort: nullableText('How much the model reasons.'),
      summary: nullableText('How the reasoning is summarised.'),
    })
    .describe('How the model reasons.'),
  text: z
    .looseObject({
      format: responseTextFormatSchema,
      verbosity: openEnum(['low', 'medium', 'high'], 'How detailed the reply is.').optional(),
    })
    .describe('Form of the reply.'),
  truncation: openEnum(['auto', 'disabled'], 'What happens to input that exceeds the context of the model.'),
  service_tier: string('The tier that served the request.', 'default'),
  store: z.boolean().describe('Whether the response is stored.'),
  background: z.boolean().describe('Whether the response was generated in the background.'),
  prompt_cache_key: nullableText('Groups requests with similar prompts for caching.'),
  prompt_cache_retention: nullableText('How long a cached prompt is kept.'),
  prompt_cache_options: z
    .looseObject({
      mode: openEnum(['implicit', 'explicit'], 'How breakpoints are set.').optional(),
      ttl: openEnum(['30m'], 'The shortest time for which the prompt is kept.').optional(),
    })
    .optional()
    .describe('How the prompt is cached, if the request says so.'),
  moderation: responseModerationSchema.nullable().optional(),
  safety_identifier: nullableText('A stable identifier of your user.'),
  user: nullableText('An identifier of your user.'),
});
