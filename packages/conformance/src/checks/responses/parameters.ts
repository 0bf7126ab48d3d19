import type { Check } from '../../check.ts';
import type { CompleteResponse } from '../../exchange/response.ts';
import { parseJson } from '../../exchange/parse-json.ts';
import { describeValue, listAt, numberAt, textAt, valueAt } from '../../exchange/value.ts';
import { assertConforms } from '../../verdict.ts';
import { assertNotCut, parameterEffect } from '../parameter-effect.ts';
import type { ParameterEffectInit } from '../parameter-effect.ts';
import {
  sendResponseRequest,
  forcedToolRequest,
  functionTool,
  outputItems,
  weatherQuestion,
  outputText,
  weather,
} from './send.ts';

const CREATE = 'responses.create';

const param = (name: string, title: string, init: Omit<ParameterEffectInit, 'title' | 'section'>): Check =>
  parameterEffect(CREATE, name, {
    title,
    section: 'companion',
    certainty: 'likely',
    send: sendResponseRequest,
    ...init,
  });

const hasText = (response: CompleteResponse): void =>
  assertConforms(response, outputText(response.json) !== '', 'The output has no text.');

/** A parameter that the response repeats. */
const echoes = (name: string, value: unknown): Check =>
  param(`echo.${name}`, `A response has the ${name} of its request`, {
    param: name,
    weight: 1,
    fields: { [name]: value },
    effect: (response) =>
      assertConforms(
        response,
        JSON.stringify(valueAt(response.json, name)) === JSON.stringify(value),
        `Its ${name} differs from the one of the request.`,
      ),
  });

/** A valid form of the input. */
const input = (name: string, title: string, value: unknown, weight = 2): Check =>
  param(`input.${name}`, title, { param: 'input', weight, fields: { input: value }, effect: hasText });

const functionCalls = (response: CompleteResponse): readonly unknown[] => outputItems(response.json, 'function_call');

function assertCalled(response: CompleteResponse, name: string): void {
  const [call] = functionCalls(response);
  assertConforms(response, call !== undefined, 'The output has no function_call.');
  assertConforms(response, textAt(call, 'name') === name, `${describeValue(valueAt(call, 'name'))} was called.`);
  assertConforms(response, (textAt(call, 'call_id') ?? '') !== '', 'The call has no call_id.');
  const city = textAt(parseJson(textAt(call, 'arguments') ?? ''), 'city');
  assertConforms(response, city !== undefined, 'Its arguments are not JSON with the city that parameters require.');
}

const river = {
  type: 'json_schema',
  name: 'river',
  strict: true,
  schema: {
    type: 'object',
    properties: { name: { type: 'string' }, length_km: { type: 'integer' } },
    required: ['name', 'length_km'],
    additionalProperties: false,
  },
};

function jsonOutput({ json }: CompleteResponse): unknown {
  assertNotCut(textAt(json, 'status'));
  return parseJson(outputText(json));
}

/** Parameters and forms of the input: each has its effect or is rejected with a 400 that names it. */
export const responseParameterChecks: readonly Check[] = [
  input('message', 'A message without a type is accepted', [{ role: 'user', content: 'Say hello.' }], 3),
  input(
    'parts',
    'Text in parts is accepted',
    [
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'Say ' },
          { type: 'input_text', text: 'hello.' },
        ],
      },
    ],
    3,
  ),
  input('roles', 'System and developer messages are accepted, also after the first item', [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Say hello.' },
    { role: 'developer', content: 'Be kind.' },
  ]),
  input('history', 'Output items of an earlier response are accepted as input', [
    { role: 'user', content: 'Say hello.' },
    { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'A greeting.' }] },
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Hello!', annotations: [], logprobs: [] }],
    },
    { role: 'user', content: 'Again.' },
  ]),
  input(
    'tool-output',
    'A function call and its output are accepted as input',
    [
      { role: 'user', content: weatherQuestion },
      { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{"city":"Paris"}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'Sunny, 21 °C' },
    ],
    3,
  ),
  input('tool-output-parts', 'The output of a function can be a list of parts', [
    { role: 'user', content: weatherQuestion },
    { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{"city":"Paris"}' },
    { type: 'function_call_output', call_id: 'call_1', output: [{ type: 'input_text', text: 'Sunny, 21 °C' }] },
  ]),
  echoes('instructions', 'Be brief.'),
  echoes('temperature', 0.5),
  echoes('top_p', 0.5),
  echoes('max_output_tokens', 64),
  echoes('parallel_tool_calls', false),
  echoes('truncation', 'auto'),
  echoes('metadata', { topic: 'greetings' }),
  echoes('store', false),
  param('null', 'null in place of an optional parameter means that it is absent', {
    param: ['temperature', 'tools', 'previous_response_id', 'reasoning', 'text'],
    fields: { temperature: null, tools: null, previous_response_id: null, reasoning: null, text: null },
    effect: hasText,
  }),
  param('max_output_tokens', 'max_output_tokens makes a longer response incomplete', {
    param: 'max_output_tokens',
    weight: 3,
    fields: { input: 'Tell me at length about rivers.', max_output_tokens: 16 },
    effect(response) {
      const tokens = numberAt(response.json, 'usage', 'output_tokens') ?? Infinity;
      assertConforms(response, tokens <= 16, `usage reports ${tokens} output tokens, more than 16.`);
      assertConforms(response, textAt(response.json, 'status') === 'incomplete', 'Its status is not incomplete.');
      const reason = textAt(response.json, 'incomplete_details', 'reason');
      assertConforms(response, reason === 'max_output_tokens', `incomplete_details.reason is ${String(reason)}.`);
    },
  }),
  param('logprobs', 'include returns the log probabilities of the text', {
    param: ['include', 'top_logprobs'],
    fields: { include: ['message.output_text.logprobs'], top_logprobs: 2 },
    effect(response) {
      const [part] = outputItems(response.json, 'message').flatMap((item) => listAt(item, 'content'));
      const logprobs = listAt(part, 'logprobs');
      assertConforms(response, logprobs.length > 0, 'The text has no logprobs.');
      const text = logprobs.map((one) => textAt(one, 'token') ?? '').join('');
      assertConforms(response, text === textAt(part, 'text'), 'The tokens are not those of the text.');
    },
  }),
  param('tools.function', 'A tool_choice with the name of a function calls that function', {
    param: ['tools', 'tool_choice'],
    weight: 3,
    fields: forcedToolRequest,
    effect: (response) => assertCalled(response, 'weather'),
  }),
  param('tools.required', "tool_choice 'required' calls a tool", {
    param: ['tools', 'tool_choice'],
    weight: 3,
    fields: { input: weatherQuestion, tools: [weather], tool_choice: 'required' },
    effect: (response) => assertCalled(response, 'weather'),
  }),
  param('tools.none', "tool_choice 'none' calls no tool", {
    param: ['tools', 'tool_choice'],
    weight: 3,
    fields: { input: weatherQuestion, tools: [weather], tool_choice: 'none' },
    effect: (response) => assertConforms(response, functionCalls(response).length === 0, 'A tool was called.'),
  }),
  param('tools.allowed', 'allowed_tools restricts the tools that are called', {
    param: ['tools', 'tool_choice'],
    weight: 3,
    fields: {
      input: weatherQuestion,
      tools: [weather, functionTool('time')],
      tool_choice: { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'time' }] },
    },
    effect: (response) => assertCalled(response, 'time'),
  }),
  param('tools.custom', 'A custom tool is called with text', {
    param: ['tools', 'tool_choice'],
    fields: {
      input: 'Note that rivers are long.',
      tools: [{ type: 'custom', name: 'note', description: 'Writes a note.' }],
      tool_choice: { type: 'custom', name: 'note' },
    },
    effect(response) {
      const [call] = outputItems(response.json, 'custom_tool_call');
      assertConforms(response, call !== undefined, 'The output has no custom_tool_call.');
      assertConforms(response, textAt(call, 'name') === 'note', 'Another tool was called.');
      assertConforms(response, textAt(call, 'input') !== undefined, 'Its input is not a string.');
      assertConforms(response, (textAt(call, 'call_id') ?? '') !== '', 'The call has no call_id.');
    },
  }),
  param('tools.hosted', 'A hosted tool that the server does not run does not fail a request with tool_choice auto', {
    param: 'tools',
    certainty: 'opinion',
    fields: { tools: [{ type: 'image_generation' }, weather], tool_choice: 'auto' },
    effect: (response) => assertConforms(response, listAt(response.json, 'output').length > 0, 'The output is empty.'),
  }),
  param('format.json_schema', 'text.format json_schema returns JSON of that schema', {
    param: 'text',
    weight: 3,
    fields: { input: 'Describe the Rhine.', text: { format: river } },
    effect(response) {
      const value = jsonOutput(response);
      const isRiver = textAt(value, 'name') !== undefined && Number.isInteger(valueAt(value, 'length_km'));
      assertConforms(response, isRiver, 'The text is not JSON with name and length_km.');
    },
  }),
  param('format.json_object', 'text.format json_object returns a JSON object', {
    param: 'text',
    fields: { input: 'Describe the Rhine as JSON.', text: { format: { type: 'json_object' } } },
    effect(response) {
      const value = jsonOutput(response);
      assertConforms(response, typeof value === 'object' && value !== null, 'The text is not a JSON object.');
    },
  }),
];
