import type { Check } from '../../check.ts';
import type { CompleteResponse } from '../../exchange/response.ts';
import { fieldsOf, listAt, textAt, valueAt } from '../../exchange/value.ts';
import { assertNotCut, parameterEffect } from '../parameter-effect.ts';
import type { ParameterEffectInit } from '../parameter-effect.ts';
import { parseJson } from '../../exchange/parse-json.ts';
import { assertConforms } from '../../verdict.ts';

const CREATE = 'chat.completions.create';
const TOOLS = 'Create chat completion: Tools';

const parameters = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
const tool = (name: string, more: object = {}): object => ({
  type: 'function',
  function: { name, description: `Read the ${name.replaceAll('_', ' ')} of a city.`, parameters, ...more },
});
const weather = tool('weather');
const time = tool('local_time');
const messages = [{ role: 'user', content: 'What is the weather in Paris?' }];

const toolCalls = (response: CompleteResponse): readonly unknown[] =>
  listAt(response.json, 'choices', 0, 'message', 'tool_calls');

const param = (
  name: string,
  title: string,
  init: Omit<ParameterEffectInit, 'title' | 'section'> & { section?: string },
): Check => parameterEffect(CREATE, `tools.${name}`, { title, section: TOOLS, ...init });

/** Throws unless every call is a function call with one of these names. */
function assertCallsOnly(response: CompleteResponse, names: readonly string[]): void {
  for (const call of toolCalls(response)) {
    assertConforms(response, textAt(call, 'type') === 'function', 'The type of a call is not function.');
    assertConforms(response, (textAt(call, 'id') ?? '') !== '', 'A call has no ID.');
    const name = textAt(call, 'function', 'name') ?? '';
    assertConforms(response, names.includes(name), `${name} was called although only ${names.join(', ')} could be.`);
    assertConforms(
      response,
      textAt(call, 'function', 'arguments') !== undefined,
      'The arguments of a call are not a string.',
    );
  }
}

function assertCalled(response: CompleteResponse, names: readonly string[]): void {
  assertConforms(response, toolCalls(response).length > 0, 'No tool was called.');
  assertCallsOnly(response, names);
}

/** Tools, tool_choice, and the deprecated functions. */
export const toolChecks: readonly Check[] = [
  param('required', "tool_choice 'required' calls a tool, with id, type, name and arguments", {
    param: ['tools', 'tool_choice'],
    weight: 3,
    fields: { messages, tools: [weather], tool_choice: 'required' },
    effect: (response) => assertCalled(response, ['weather']),
  }),
  param('finish-reason', 'A response with tool calls has finish_reason tool_calls', {
    param: ['tools', 'tool_choice'],
    section: 'Chat completion object: Choice',
    fields: { messages, tools: [weather], tool_choice: 'required' },
    effect(response) {
      const reason = textAt(response.json, 'choices', 0, 'finish_reason');
      // OpenAI ends a forced call with finish_reason stop.
      assertConforms(response, reason === 'tool_calls' || reason === 'stop', `finish_reason is '${String(reason)}'.`);
    },
  }),
  param('named', 'A tool_choice with the name of a function calls that function', {
    param: ['tools', 'tool_choice'],
    weight: 3,
    fields: { messages, tools: [weather, time], tool_choice: { type: 'function', function: { name: 'local_time' } } },
    effect: (response) => assertCalled(response, ['local_time']),
  }),
  param('none', "tool_choice 'none' calls no tool", {
    param: ['tools', 'tool_choice'],
    weight: 3,
    fields: { messages, tools: [weather], tool_choice: 'none' },
    effect: (response) => assertConforms(response, toolCalls(response).length === 0, 'A tool was called.'),
  }),
  param('auto', "tool_choice 'auto' calls an available tool or returns text", {
    param: ['tools', 'tool_choice'],
    fields: { messages, tools: [weather], tool_choice: 'auto' },
    effect: (response) => assertCallsOnly(response, ['weather']),
  }),
  param('allowed', 'allowed_tools restricts the tools that are called', {
    param: ['tools', 'tool_choice'],
    weight: 3,
    fields: {
      messages,
      tools: [weather, time],
      tool_choice: {
        type: 'allowed_tools',
        allowed_tools: { mode: 'required', tools: [{ type: 'function', function: { name: 'local_time' } }] },
      },
    },
    effect: (response) => assertCalled(response, ['local_time']),
  }),
  param('strict', 'The arguments of a strict function match its parameters', {
    param: ['tools', 'tool_choice'],
    weight: 3,
    fields: { messages, tools: [tool('weather', { strict: true })], tool_choice: 'required' },
    effect(response) {
      assertCalled(response, ['weather']);
      const toolCall = parseJson(textAt(toolCalls(response)[0], 'function', 'arguments') ?? '');
      const isExpected = typeof valueAt(toolCall, 'city') === 'string' && Object.keys(fieldsOf(toolCall)).length === 1;
      assertConforms(response, isExpected, 'The arguments are not {"city": "…"}, as required by parameters.');
    },
  }),
  param('parallel', 'parallel_tool_calls false calls at most one tool', {
    param: ['tools', 'parallel_tool_calls', 'tool_choice'],
    section: 'Create chat completion',
    fields: {
      messages: [{ role: 'user', content: 'What is the weather in Paris and in London?' }],
      tools: [weather],
      tool_choice: 'required',
      parallel_tool_calls: false,
    },
    effect: (response) =>
      assertConforms(
        response,
        toolCalls(response).length <= 1,
        `${toolCalls(response).length} tools were called in parallel.`,
      ),
  }),
  param('name', 'The name of a function can have 64 characters, digits, underscores and dashes', {
    param: ['tools', 'tool_choice'],
    section: 'Limits',
    weight: 1,
    fields: { messages, tools: [tool(`${'n'.repeat(60)}-_09`)] },
  }),
  param('no-parameters', 'A function can have no parameters', {
    param: ['tools', 'tool_choice'],
    weight: 1,
    fields: { messages, tools: [{ type: 'function', function: { name: 'ping' } }], tool_choice: 'required' },
    effect: (response) => assertCalled(response, ['ping']),
  }),
  param('custom', 'A custom tool is called with a string input', {
    param: ['tools', 'tool_choice'],
    weight: 3,
    fields: {
      messages,
      tools: [{ type: 'custom', custom: { name: 'note' } }],
      tool_choice: { type: 'custom', custom: { name: 'note' } },
    },
    effect(response) {
      const [call] = toolCalls(response);
      assertConforms(response, textAt(call, 'type') === 'custom', 'No custom tool was called.');
      assertConforms(response, textAt(call, 'custom', 'name') === 'note', 'The call does not name the tool.');
      assertConforms(response, textAt(call, 'custom', 'input') !== undefined, 'The input of the call is not a string.');
    },
  }),
  param('grammar', 'The input of a custom tool matches its grammar', {
    param: ['tools', 'tool_choice'],
    weight: 3,
    fields: {
      messages: [{ role: 'user', content: 'Send the code.' }],
      tools: [
        {
          type: 'custom',
          custom: {
            name: 'code',
            format: { type: 'grammar', grammar: { syntax: 'regex', definition: '[a-c]{3}-[0-9]{2}' } },
          },
        },
      ],
      tool_choice: 'required',
    },
    effect(response) {
      const input = textAt(toolCalls(response)[0], 'custom', 'input') ?? '';
      assertConforms(
        response,
        /^[a-c]{3}-[0-9]{2}$/.test(input),
        `The input '${input.slice(0, 80)}' does not match the grammar.`,
      );
    },
  }),
  param('functions', 'Deprecated functions and function_call still call a function', {
    param: ['functions', 'function_call'],
    section: 'Create chat completion',
    fields: { messages, functions: [{ name: 'weather', parameters }], function_call: { name: 'weather' } },
    effect(response) {
      const message = valueAt(response.json, 'choices', 0, 'message');
      assertConforms(
        response,
        textAt(message, 'function_call', 'name') === 'weather',
        'message.function_call does not name weather.',
      );
      assertConforms(
        response,
        textAt(message, 'function_call', 'arguments') !== undefined,
        'The arguments are not a string.',
      );
    },
  }),
];

const city = {
  name: 'city',
  strict: true,
  schema: {
    type: 'object',
    properties: { city: { type: 'string' }, inhabitants: { type: 'integer' } },
    required: ['city', 'inhabitants'],
    additionalProperties: false,
  },
};

const form = (name: string, title: string, fields: object, effect?: ParameterEffectInit['effect']): Check =>
  parameterEffect(CREATE, `format.${name}`, {
    title,
    section: 'Create chat completion',
    weight: 2,
    param: ['response_format'],
    fields,
    ...(effect && { effect }),
  });

/** The content as JSON. */
function content({ json }: CompleteResponse): unknown {
  assertNotCut(textAt(json, 'choices', 0, 'finish_reason'));
  return parseJson(textAt(json, 'choices', 0, 'message', 'content') ?? '');
}

/** Response formats. */
export const formatChecks: readonly Check[] = [
  form('text', 'response_format can be text', { response_format: { type: 'text' } }),
  form(
    'json_object',
    'response_format json_object returns a JSON object',
    {
      messages: [{ role: 'user', content: 'Answer in JSON: where is Paris?' }],
      response_format: { type: 'json_object' },
    },
    (response) => assertConforms(response, typeof content(response) === 'object', 'The content is not a JSON object.'),
  ),
  form(
    'json_schema',
    'response_format json_schema with strict returns content that matches the schema',
    {
      messages: [{ role: 'user', content: 'Paris has 2102650 inhabitants.' }],
      response_format: { type: 'json_schema', json_schema: city },
    },
    (response) => {
      const value = content(response);
      const isExpected = typeof valueAt(value, 'city') === 'string' && Number.isInteger(valueAt(value, 'inhabitants'));
      assertConforms(
        response,
        isExpected && Object.keys(fieldsOf(value)).length === 2,
        'The content does not match the schema.',
      );
    },
  ),
  form('name', 'The name of a json_schema can have 64 characters', {
    response_format: { type: 'json_schema', json_schema: { ...city, name: `${'n'.repeat(60)}-_09` } },
  }),
];
