import * as z from 'zod';
import { constant, openEnum, responseObject, string } from '../fields/field.ts';
import {
  responseOutputTextSchema,
  responseReasoningTextSchema,
  responseRefusalSchema,
  responseSummaryTextSchema,
} from './content.ts';
import { responseHostedOutputItemSchema } from './hosted-items.ts';

const status = openEnum(['in_progress', 'completed', 'incomplete'], 'Whether the item is complete.');
const callId = string('Names the call in the item with its output.', 'call_abc123');
const toolName = string('Name of the tool.', 'get_weather');
const namespace = z.string().optional().describe('Namespace of the tool, where it has one.');
const call = { call_id: callId, name: toolName, namespace };

export const responseOutputItemSchema = z
  .discriminatedUnion('type', [
    responseObject('ResponseOutputMessage', 'A message that the model generated.', {
      type: constant('message'),
      id: string('ID of the message.', 'msg_abc123'),
      role: constant('assistant'),
      status,
      content: z
        .array(z.discriminatedUnion('type', [responseOutputTextSchema, responseRefusalSchema]))
        .describe('The parts of the message.'),
    }),
    responseObject('ResponseFunctionCall', 'A call of a function that the model asks for.', {
      type: constant('function_call'),
      id: string('ID of the item.', 'fc_abc123'),
      ...call,
      arguments: z.string().describe('The arguments in JSON, as the model wrote them: check them before use.'),
      status,
    }),
    responseObject('ResponseCustomToolCall', 'A call of a custom tool that the model asks for.', {
      type: constant('custom_tool_call'),
      id: string('ID of the item.', 'ct_abc123'),
      ...call,
      input: z.string().describe('The input, as the model wrote it.'),
      status,
    }),
    responseObject('ResponseReasoning', 'Reasoning of the model.', {
      type: constant('reasoning'),
      id: string('ID of the item.', 'rs_abc123'),
      summary: z.array(responseSummaryTextSchema).describe('The reasoning, where `reasoning.summary` asks for it.'),
      content: z.array(responseReasoningTextSchema).optional().describe('The reasoning.'),
      encrypted_content: z
        .string()
        .optional()
        .describe('The reasoning, to be sent back. Only with `include: ["reasoning.encrypted_content"]`.'),
      status: status.optional(),
    }),
    responseObject('ResponseWebSearchCall', 'A web search that the server ran.', {
      type: constant('web_search_call'),
      id: string('ID of the item.', 'ws_abc123'),
      status: openEnum(['in_progress', 'searching', 'completed', 'failed'], 'How far the search is.'),
      action: z
        .looseObject({
          type: constant('search'),
          query: string('What was searched for.', 'rivers in Europe'),
          sources: z
            .array(z.looseObject({ type: constant('url'), url: z.string().describe('Address of the page.') }))
            .optional()
            .describe('The pages that were found. Only with `include: ["web_search_call.action.sources"]`.'),
        })
        .describe('The search.'),
    }),
    responseObject('ResponseCompaction', 'The compacted beginning of a conversation.', {
      type: constant('compaction'),
      id: string('ID of the item.', 'cmp_abc123'),
      encrypted_content: z.string().describe('The content, to be sent back as it is.'),
    }),
    responseHostedOutputItemSchema,
  ])
  .meta({ id: 'ResponseOutputItem', description: 'An item of the output; `type` selects its form.' });
