import * as z from 'zod';
import { constant, identifier, jsonObject, requestObject } from '../fields/field.ts';
import { ignoringUnknownFields } from '../parsing/lenient.ts';
import { CONTENT_PARTS_MAX, MESSAGES_MAX, TOOLS_MAX } from '../limits.ts';
import {
  responseInputContentSchema,
  responseInputTextSchema,
  responseReasoningTextSchema,
  responseSummaryTextSchema,
} from './content.ts';
import { responseHostedItemSchema } from './hosted-items.ts';
import { responseToolSchema } from './tools.ts';

const id = identifier({}).optional().describe('ID of the item, where it has one.');
const status = z.string().optional().describe('Accepted and ignored.');
const own = { id, status };
const messageType = constant('message').optional();
const callId = identifier({ min: 1 }).meta({
  description: 'Names the call in the item with its output.',
  examples: ['call_abc123'],
});
const toolName = identifier({}).meta({ description: 'Name of the tool.', examples: ['get_weather'] });
const namespace = identifier({}).optional().describe('Namespace of the tool, where it has one.');
const call = { call_id: callId, name: toolName, namespace };
const output = z
  .union([z.string(), z.array(responseInputContentSchema).max(CONTENT_PARTS_MAX)])
  .describe('What the tool returned: text or content parts.');

const callOutput = { call_id: callId, output, ...own };

const messageContent = z
  .union([z.string(), z.array(responseInputContentSchema).max(CONTENT_PARTS_MAX)])
  .meta({ description: 'The text, or content parts.', examples: ['Name three rivers in Europe.'] });

const inputMessage = requestObject('ResponseInputMessage', 'A message of the user, or instructions of the developer.', {
  type: messageType,
  role: z.enum(['user', 'system', 'developer']).describe('Role of the author. `system` is the same as `developer`.'),
  content: messageContent,
  id,
  status,
});

const assistantMessage = z
  .strictObject({
    type: messageType,
    role: constant('assistant'),
    content: z
      .union([
        z.string(),
        z
          .array(
            z.discriminatedUnion('type', [
              z.strictObject({
                type: constant('output_text'),
                text: z.string().describe('The text.'),
                annotations: z.array(z.unknown()).max(CONTENT_PARTS_MAX).optional().describe('Accepted and ignored.'),
                logprobs: z.array(z.unknown()).optional().describe('Accepted and ignored.'),
              }),
              z.strictObject({ type: constant('refusal'), refusal: z.string().describe('The refusal.') }),
              responseInputTextSchema,
            ]),
          )
          .max(CONTENT_PARTS_MAX),
      ])
      .describe('The text, or its parts.'),
    id,
    status,
    phase: z.enum(['commentary', 'final_answer']).optional().describe('Accepted and ignored.'),
  })
  .meta({ id: 'ResponseAssistantMessage', description: 'An earlier reply of the model.' });

const item = <const Type extends string, Fields extends z.core.$ZodLooseShape>(
  name: string,
  type: Type,
  description: string,
  fields: Fields,
) => requestObject(name, description, { type: constant(type), ...fields });

/** Items of an input that are stored as they are. */
const storedItems = [
  z.discriminatedUnion('role', [inputMessage, assistantMessage]),
  item('ResponseFunctionCallParam', 'function_call', 'A call of a function in an earlier response.', {
    ...call,
    arguments: z.string().describe('The arguments in JSON.'),
    ...own,
  }),
  item('ResponseFunctionCallOutput', 'function_call_output', 'The output of a function.', callOutput),
  item('ResponseCustomToolCallParam', 'custom_tool_call', 'A call of a custom tool in an earlier response.', {
    ...call,
    input: z.string().describe('The input.'),
    ...own,
  }),
  item('ResponseCustomToolCallOutput', 'custom_tool_call_output', 'The output of a custom tool.', callOutput),
  item('ResponseReasoningParam', 'reasoning', 'Reasoning of an earlier response.', {
    id,
    summary: z.array(responseSummaryTextSchema).max(CONTENT_PARTS_MAX).optional().describe('Its summary.'),
    content: z.array(responseReasoningTextSchema).max(CONTENT_PARTS_MAX).optional().describe('Its text.'),
    encrypted_content: z.string().optional().describe('The encrypted content, as returned by the server.'),
    status,
  }),
  item(
    'ResponseWebSearchCallParam',
    'web_search_call',
    'A web search of an earlier response. It is not passed to the model again.',
    {
      action: jsonObject().optional().describe('The search.'),
      ...own,
    },
  ),
  item('ResponseCompactionParam', 'compaction', 'The compacted beginning of a conversation.', {
    id,
    encrypted_content: z.string().describe('The encrypted content, as returned by the server.'),
  }),
  item('ResponseAdditionalTools', 'additional_tools', 'Tools that are added to `tools`.', {
    tools: z.array(responseToolSchema).max(TOOLS_MAX).describe('The tools.'),
    id,
  }),
  responseHostedItemSchema,
] as const;

/** An item of the input that is stored. */
export const responseStoredInputItemSchema = ignoringUnknownFields(z.discriminatedUnion('type', storedItems));

/** Items that an SDK or a framework received can be sent back: unknown fields are dropped, not rejected, and kept in items of hosted tools. */
export const responseInputItemSchema = ignoringUnknownFields(
  z.discriminatedUnion('type', [
    ...storedItems,
    item(
      'ResponseItemReference',
      'item_reference',
      'Stands for an item that this server stored. `type` may be left out.',
      {
        id: identifier({}).describe('ID of the item.'),
      },
    ),
  ]),
).meta({
  id: 'ResponseInputItem',
  description: 'An item of the input; `type` selects its form. Unknown fields are ignored.',
});

export const responseInputSchema = z
  .union([z.string(), z.array(responseInputItemSchema).max(MESSAGES_MAX)])
  .meta({ description: 'A text of the user, or items.', examples: ['Name three rivers in Europe.'] });
