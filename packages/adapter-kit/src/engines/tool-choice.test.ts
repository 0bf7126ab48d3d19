import { expect, test } from 'vitest';
import { toolPermission } from './tool-choice.ts';
import type { ChatRequest } from '@modelwire/ports';

const [look, add, run] = [
  { type: 'function', function: { name: 'look' } },
  { type: 'function', function: { name: 'add' } },
  { type: 'custom', custom: { name: 'look' } },
] as const;
const tools = [look, add, run];

test.each<[string, ChatRequest['tool_choice'], boolean, ReturnType<typeof toolPermission>]>([
  ['none', 'none', true, { tools: [], isRequired: false, isSingle: false }],
  ['auto', 'auto', true, { tools, isRequired: false, isSingle: false }],
  ['required, one at a time', 'required', false, { tools, isRequired: true, isSingle: true }],
  [
    'a named tool',
    { type: 'custom', custom: { name: 'look' } },
    true,
    { tools: [run], isRequired: true, isSingle: true },
  ],
  [
    'a list of tools',
    {
      type: 'allowed_tools',
      allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'add' } }] },
    },
    true,
    { tools: [add], isRequired: false, isSingle: false },
  ],
])('evaluates tool_choice: %s', (_, tool_choice, parallel_tool_calls, permission) => {
  expect(toolPermission({ tools, tool_choice, parallel_tool_calls })).toEqual(permission);
});
