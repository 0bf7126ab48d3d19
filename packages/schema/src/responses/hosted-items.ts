import * as z from 'zod';
import { constant, identifier, jsonObject } from '../fields/field.ts';
import { CONTENT_PARTS_MAX } from '../limits.ts';

const status = z.string().optional().describe('How far it is.');
const callId = identifier({ min: 1 }).meta({
  description: 'Names the call in the item with its output.',
  examples: ['call_abc123'],
});
const label = z.string().describe('Label of the MCP server.');
const toolName = z.string().describe('Name of the tool.');
const toolArguments = z.string().describe('The arguments in JSON.');
const list = (description: string) => z.array(z.unknown()).max(CONTENT_PARTS_MAX).describe(description);
const object = (description: string) => jsonObject().describe(description);

/**
 * Items of tools that hosted services run, or that clients run and chat models do not support. Their main fields are validated and all others
 * are kept, since an upstream with `/responses` may need them.
 *
 * @param id The schema of the ID, which is optional in requests.
 */
function hostedItems<Id extends z.ZodType>(id: Id) {
  const item = <const Type extends string, Fields extends z.ZodRawShape>(
    type: Type,
    description: string,
    fields: Fields,
  ) => z.looseObject({ type: constant(type), id, ...fields }).describe(description);
  return z.discriminatedUnion('type', [
    item('file_search_call', 'A search in files.', {
      status,
      queries: z.array(z.string()).max(CONTENT_PARTS_MAX).optional().describe('What was searched for.'),
      results: list('What was found.').optional(),
    }),
    item('computer_call', 'A call to use a computer.', {
      status,
      call_id: callId,
      action: object('What to do.').optional(),
      actions: list('What to do, in order.').optional(),
      pending_safety_checks: list('Checks that the client has to confirm.').optional(),
    }),
    item('computer_call_output', 'A picture of the screen after a call to use a computer.', {
      status,
      call_id: callId,
      output: object('The picture.'),
      acknowledged_safety_checks: list('Checks that the client confirms.').optional(),
    }),
    item('code_interpreter_call', 'A program that a hosted service ran.', {
      status,
      code: z.string().optional().describe('The program.'),
      container_id: z.string().optional().describe('Where it ran.'),
      outputs: list('What it wrote.').optional(),
    }),
    item('image_generation_call', 'An image that a hosted service generated.', {
      status,
      result: z.string().optional().describe('The image in base64.'),
    }),
    item('mcp_list_tools', 'The tools of an MCP server.', { server_label: label, tools: list('The tools.') }),
    item('mcp_approval_request', 'A call of a tool of an MCP server that the client has to approve.', {
      server_label: label,
      name: toolName,
      arguments: toolArguments,
    }),
    item('mcp_approval_response', 'Whether the client approves a call.', {
      approval_request_id: identifier({}).describe('ID of the item with the call.'),
      approve: z.boolean().describe('Whether the call is approved.'),
      reason: z.string().optional().describe('Why.'),
    }),
    item('mcp_call', 'A call of a tool of an MCP server.', {
      status,
      server_label: label,
      name: toolName,
      arguments: toolArguments,
      output: z.string().optional().describe('What the tool returned.'),
    }),
    item('local_shell_call', 'A command for the shell of the client.', {
      status,
      call_id: callId,
      action: object('The command.'),
    }),
    item('local_shell_call_output', 'The output of a command in the shell of the client.', {
      status,
      output: z.string().describe('The output in JSON.'),
    }),
    item('shell_call', 'Commands for a shell.', { status, call_id: callId, action: object('The commands.') }),
    item('shell_call_output', 'The output of commands in a shell.', {
      status,
      call_id: callId,
      output: list('The output of each command.'),
    }),
    item('apply_patch_call', 'A change to a file of the client.', {
      status,
      call_id: callId,
      operation: object('The change.'),
    }),
    item('apply_patch_call_output', 'Whether a change to a file was made.', {
      status,
      call_id: callId,
      output: z.string().optional().describe('What the change said.'),
    }),
    item('tool_search_call', 'A search among deferred tools.', {
      status,
      call_id: callId.optional(),
      arguments: z.unknown().describe('What was searched for.'),
    }),
    item('tool_search_output', 'The tools that a search found.', {
      status,
      call_id: callId.optional(),
      tools: list('The tools.'),
    }),
    item('program', 'A program that calls tools.', {
      call_id: callId,
      code: z.string().describe('The program.'),
    }),
    item('program_output', 'The result of a program that called tools.', {
      status,
      call_id: callId,
      result: z.string().describe('The result.'),
    }),
    item('configuration_update', 'Settings from here on.', {
      reasoning: object('How the model reasons.').optional(),
      text: object('Form of the reply.').optional(),
    }),
    item('compaction_trigger', 'Asks for the conversation to be compacted.', {}),
  ]);
}

export const responseHostedItemSchema = hostedItems(
  identifier({}).optional().describe('ID of the item, where it has one.'),
).meta({
  id: 'ResponseHostedItem',
  description:
    'An item of a tool that this server does not run. The model does not see it, unless an upstream with `/responses` generates the response. Unknown fields are kept.',
});

export const responseHostedOutputItemSchema = hostedItems(
  identifier({}).meta({ description: 'ID of the item.', examples: ['fs_abc123'] }),
).meta({
  id: 'ResponseHostedOutputItem',
  description: 'An item of a tool that an upstream with `/responses` runs.',
});
