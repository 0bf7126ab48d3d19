import { describe, expect, test } from 'vitest';
import { conversationCreateParamsSchema } from '../conversations/requests.ts';
import { parseRequest } from '../parsing/parse.ts';
import { parseResponseCreate } from './parse.ts';

const call_id = 'call_1';
const status = 'completed';

/** One item of each type, as the API documents it. */
const items = [
  { type: 'file_search_call', id: 'fs_1', status, queries: ['rivers'], results: [{ file_id: 'file-1', score: 0.5 }] },
  {
    type: 'computer_call',
    id: 'cm_1',
    call_id,
    status,
    action: { type: 'click', x: 1, y: 2 },
    pending_safety_checks: [],
  },
  {
    type: 'computer_call_output',
    call_id,
    output: { type: 'computer_screenshot', image_url: 'data:image/png;base64,AA==' },
  },
  {
    type: 'code_interpreter_call',
    id: 'ci_1',
    status,
    code: 'print(1)',
    container_id: 'cntr_1',
    outputs: [{ type: 'logs', logs: '1' }],
  },
  { type: 'image_generation_call', id: 'ig_1', status, result: 'AA==', size: '1024x1024' },
  { type: 'mcp_list_tools', id: 'mcpl_1', server_label: 'docs', tools: [{ name: 'find', input_schema: {} }] },
  { type: 'mcp_approval_request', id: 'mcpr_1', server_label: 'docs', name: 'find', arguments: '{}' },
  { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: true },
  { type: 'mcp_call', id: 'mcp_1', server_label: 'docs', name: 'find', arguments: '{}', output: 'a', status },
  { type: 'local_shell_call', id: 'lsh_1', call_id, status, action: { type: 'exec', command: ['ls'], env: {} } },
  { type: 'local_shell_call_output', id: 'lsho_1', output: '{}' },
  { type: 'shell_call', call_id, action: { commands: ['ls'] }, environment: { type: 'local' } },
  {
    type: 'shell_call_output',
    call_id,
    output: [{ stdout: 'a', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
  },
  { type: 'apply_patch_call', call_id, status, operation: { type: 'delete_file', path: 'a.txt' } },
  { type: 'apply_patch_call_output', call_id, status, output: 'deleted' },
  { type: 'tool_search_call', call_id, execution: 'client', arguments: { goal: 'find' } },
  { type: 'tool_search_output', call_id, tools: [{ type: 'function', name: 'find' }] },
  { type: 'program', id: 'prog_1', call_id, code: 'find()', fingerprint: 'fp' },
  { type: 'program_output', id: 'prgo_1', call_id, result: '1', status },
  { type: 'configuration_update', reasoning: { effort: 'low' } },
  { type: 'compaction_trigger' },
  { type: 'web_search_call', id: 'ws_1', status, action: { type: 'open_page', url: 'https://example.com' } },
];

describe.each(items)('an item $type', (item) => {
  test('is accepted with all its fields in a response and a conversation', () => {
    expect(parseResponseCreate({ model: 'm', input: [item] })).toEqual({
      ok: true,
      value: { model: 'm', input: [item] },
    });
    expect(parseRequest(conversationCreateParamsSchema, { items: [item] })).toEqual({
      ok: true,
      value: { items: [item] },
    });
  });

  test('treats null as an absent field', () => {
    const { type } = item;
    const input = [{ ...item, id: null, ...('status' in item && { status: null }) }];
    expect(parseResponseCreate({ model: 'm', input })).toMatchObject({ ok: true, value: { input: [{ type }] } });
  });
});

test.each([
  [{ type: 'computer_call_output', call_id, output: 'text' }, 'input[0].output'],
  [{ type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: 'yes' }, 'input[0].approve'],
  [{ type: 'file_search_call', queries: [1] }, 'input[0].queries[0]'],
  [{ type: 'shell_call', action: {} }, 'input[0].call_id'],
  [{ type: 'shell_call_output', call_id, output: Array(10_001).fill({}) }, 'input[0].output'],
  [{ type: 'telepathy_call', id: 'x' }, 'input[0].type'],
])('an item with a field of another form is refused by name: %j', (item, param) => {
  expect(parseResponseCreate({ model: 'm', input: [item] })).toMatchObject({ ok: false, problem: { param } });
});

test.each([
  [{ role: 'user', content: 'Hello', id: '\ud800' }, 'id'],
  [{ role: 'assistant', content: 'Hello', id: 'msg_\udc00' }, 'id'],
  [{ type: 'function_call', call_id: '\ud800', name: 'a', arguments: '{}' }, 'call_id'],
  [{ type: 'function_call', call_id, name: '\ud800', arguments: '{}' }, 'name'],
  [{ type: 'function_call', call_id, name: 'a', namespace: '\ud800', arguments: '{}' }, 'namespace'],
  [{ type: 'custom_tool_call_output', call_id: '\ud800', output: '' }, 'call_id'],
  [{ type: 'item_reference', id: '\ud800' }, 'id'],
  [{ type: 'file_search_call', id: '\ud800', queries: [] }, 'id'],
])('an identifier with half of a surrogate pair is refused by name: %j', (item, field) => {
  const problem = { code: 'invalid_value' };
  expect(parseRequest(conversationCreateParamsSchema, { items: [item] })).toMatchObject({
    ok: false,
    problem: { ...problem, param: `items[0].${field}` },
  });
  expect(parseResponseCreate({ model: 'm', input: [item] })).toMatchObject({
    ok: false,
    problem: { ...problem, param: `input[0].${field}` },
  });
});
