import * as z from 'zod';
import { constant, count, jsonObject, openEnum, responseObject, string } from '../fields/field.ts';

export const messageContentBlockSchema = z
  .discriminatedUnion('type', [
    z.looseObject({ type: constant('text'), text: string('The text.', 'The Rhine.') }).describe('Text.'),
    z
      .looseObject({
        type: constant('thinking'),
        thinking: z.string().describe('The reasoning; empty where the request omits it.'),
        signature: z.string().describe('Identifies the reasoning. Send it back unchanged.'),
      })
      .describe('Reasoning of the model.'),
    z
      .looseObject({
        type: constant('tool_use'),
        id: string('Names the call.', 'toolu_abc123'),
        name: string('Name of the tool.', 'get_weather'),
        input: jsonObject().meta({ description: 'The input.', examples: [{ city: 'Paris' }] }),
      })
      .describe('A call of a tool.'),
  ])
  .meta({ id: 'MessageContentBlock', description: 'A block of a message; `type` selects its form.' });

const tokens = {
  input_tokens: count('Tokens of the prompt that came from no cache.'),
  cache_creation_input_tokens: count('Tokens of the prompt that were written to a cache.'),
  cache_read_input_tokens: count('Tokens of the prompt that came from a cache.'),
  output_tokens: count('Tokens of the reply, reasoning included.'),
  output_tokens_details: z
    .looseObject({ thinking_tokens: count('Tokens of the reasoning.') })
    .nullable()
    .describe('What the output tokens consist of.'),
};

const stopReason = openEnum(['end_turn', 'max_tokens', 'stop_sequence', 'tool_use', 'refusal'], 'Why the reply ended.');
const stopSequence = z.string().nullable().describe('The text of `stop_sequences` that ended the reply.');
const stopDetails = z
  .looseObject({
    type: constant('refusal'),
    category: z.string().nullable().describe('Always null.'),
    explanation: z.string().nullable().describe('Always null.'),
  })
  .nullable()
  .describe('About a refusal.');

export const messageUsageSchema = responseObject('MessageUsage', 'Tokens of a message.', {
  ...tokens,
  service_tier: openEnum(['standard', 'priority', 'batch'], 'The tier that processed the request.'),
});

export const messageSchema = responseObject('Message', 'A message of a model.', {
  id: string('ID of the message.', 'msg_abc123'),
  type: constant('message'),
  role: constant('assistant'),
  model: string('The model of the request.', 'simulator'),
  content: z.array(messageContentBlockSchema).describe('The blocks of the reply.'),
  stop_reason: stopReason.nullable(),
  stop_sequence: stopSequence,
  stop_details: stopDetails,
  container: jsonObject().nullable().describe('Always null.'),
  usage: messageUsageSchema,
});

export const messageErrorSchema = responseObject('MessageError', 'An error.', {
  type: constant('error'),
  error: z
    .looseObject({
      type: openEnum(
        [
          'invalid_request_error',
          'authentication_error',
          'permission_error',
          'not_found_error',
          'conflict_error',
          'request_too_large',
          'rate_limit_error',
          'timeout_error',
          'overloaded_error',
          'api_error',
        ],
        'Kind of the error.',
      ),
      message: z.string().describe('What is wrong.'),
      details: z
        .looseObject({
          error_code: z.string().nullable().describe('Machine-readable code.'),
          param: z.string().nullable().describe('Path of the field at fault.'),
        })
        .describe('More about the error.'),
    })
    .describe('The error.'),
  request_id: string('ID of the request.', 'req_abc123'),
});

const index = z.int().meta({ description: 'Position of the block in `content`.', minimum: 0, examples: [0] });

/** One event of a streamed message. */
export const messageStreamEventSchema = z
  .discriminatedUnion('type', [
    z
      .looseObject({
        type: constant('message_start'),
        message: messageSchema.describe('The message, without content.'),
      })
      .describe('The message begins.'),
    z
      .looseObject({
        type: constant('content_block_start'),
        index,
        content_block: messageContentBlockSchema.describe('The block, without content.'),
      })
      .describe('A block begins.'),
    z
      .looseObject({
        type: constant('content_block_delta'),
        index,
        delta: z
          .discriminatedUnion('type', [
            z.looseObject({ type: constant('text_delta'), text: z.string().describe('The next characters.') }),
            z.looseObject({
              type: constant('input_json_delta'),
              partial_json: z.string().describe('The next characters of the input as JSON.'),
            }),
            z.looseObject({
              type: constant('thinking_delta'),
              thinking: z.string().describe('The next characters of the reasoning.'),
            }),
            z.looseObject({
              type: constant('signature_delta'),
              signature: z.string().describe('The signature of the reasoning.'),
            }),
          ])
          .describe('What is added to the block.'),
      })
      .describe('A block goes on.'),
    z.looseObject({ type: constant('content_block_stop'), index }).describe('A block ends.'),
    z
      .looseObject({
        type: constant('message_delta'),
        delta: z
          .looseObject({ stop_reason: stopReason, stop_sequence: stopSequence, stop_details: stopDetails })
          .describe('How the message ended.'),
        usage: z.looseObject(tokens).describe('Tokens of the message.'),
      })
      .describe('The message is complete.'),
    z.looseObject({ type: constant('message_stop') }).describe('The last event.'),
    z.looseObject({ type: constant('ping') }).describe('Keeps the connection alive.'),
    messageErrorSchema,
  ])
  .meta({ id: 'MessageStreamEvent', description: 'An event of a streamed message.' });
