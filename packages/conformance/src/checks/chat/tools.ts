import type { Check } from '../../check.ts';
import type { Answer } from '../../exchange/answer.ts';
import { fieldsOf, listAt, textAt, valueAt } from '../../exchange/value.ts';
import { parameterEffect } from '../parameter-effect.ts';
import type { ParameterEffectInit } from '../parameter-effect.ts';
import { parseJson } from '../../exchange/parse-json.ts';
import { assertConforms } from '../../verdict.ts';

const CREATE = 'chat.completions.create';
const TOOLS = 'Create chat completion: Tools';

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false }; // prettier-ignore
const tool = (name: string, more: object = {}): object => ({
  type: 'function',
  function: { name, description: `Read the ${name.replaceAll('_', ' ')} of a city.`, parameters, ...more },
});
const weather = tool('weather');
const time = tool('local_time');
const messages = [{ role: 'user', content: 'What is the weather in Paris?' }];

const calls = (answer: Answer): readonly unknown[] => listAt(answer.json, 'choices', 0, 'message', 'tool_calls');

const param = (
  name: string,
  title: string,
  init: Omit<ParameterEffectInit, 'title' | 'section'> & { section?: string },
): Check => parameterEffect(CREATE, `tools.${name}`, { title, section: TOOLS, ...init });

/** Throws unless every call is a function call of one of these. */
function callsOnly(answer: Answer, names: readonly string[]): void {
  for (const call of calls(answer)) {
    assertConforms(answer, textAt(call, 'type') === 'function', 'The type of a call is not function.');
    assertConforms(answer, (textAt(call, 'id') ?? '') !== '', 'A call has no id.');
    const name = textAt(call, 'function', 'name') ?? '';
    assertConforms(answer, names.includes(name), `${name} was called, and only ${names.join(', ')} might be.`);
    assertConforms(answer, textAt(call, 'function', 'arguments') !== undefined, 'The arguments of a call are no text.');
  }
}

function called(answer: Answer, names: readonly string[]): void {
  assertConforms(answer, calls(answer).length > 0, 'Nothing was called.');
  callsOnly(answer, names);
}

/** Tools, how they are chosen, and the functions that they replaced. */
export const toolChecks: readonly Check[] = [
  param('required', "tool_choice 'required' has a tool called, with id, type, name and arguments", {
    param: ['tools', 'tool_choice'],
    weight: 3,
    fields: { messages, tools: [weather], tool_choice: 'required' },
    effect: (answer) => called(answer, ['weather']),
  }),
  param('finish-reason', 'An answer that calls tools ends with tool_calls', {
    param: ['tools', 'tool_choice'],
    section: 'Chat completion object: Choice',
    fields: { messages, tools: [weather], tool_choice: 'required' },
    effect(answer) {
      const reason = textAt(answer.json, 'choices', 0, 'finish_reason');
      // Official services end a call that was forced with stop.
      assertConforms(answer, reason === 'tool_calls' || reason === 'stop', `finish_reason is '${String(reason)}'.`);
    },
  }),
  param('named', 'A tool_choice that names a function has that one called', {
    param: ['tools', 'tool_choice'],
    weight: 3,
    fields: { messages, tools: [weather, time], tool_choice: { type: 'function', function: { name: 'local_time' } } },
    effect: (answer) => called(answer, ['local_time']),
  }),
  param('none', "tool_choice 'none' has no tool called", {
    param: ['tools', 'tool_choice'],
    weight: 3,
    fields: { messages, tools: [weather], tool_choice: 'none' },
    effect: (answer) => assertConforms(answer, calls(answer).length === 0, 'A tool was called.'),
  }),
  param('auto', "tool_choice 'auto' calls what there is, or says something", {
    param: ['tools', 'tool_choice'],
    fields: { messages, tools: [weather], tool_choice: 'auto' },
    effect: (answer) => callsOnly(answer, ['weather']),
  }),
  param('allowed', 'allowed_tools narrows what is called', {
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
    effect: (answer) => called(answer, ['local_time']),
  }),
  param('strict', 'The arguments of a strict function follow its parameters', {
    param: ['tools', 'tool_choice'],
    weight: 3,
    fields: { messages, tools: [tool('weather', { strict: true })], tool_choice: 'required' },
    effect(answer) {
      called(answer, ['weather']);
      const given = parseJson(textAt(calls(answer)[0], 'function', 'arguments') ?? '');
      const right = typeof valueAt(given, 'city') === 'string' && Object.keys(fieldsOf(given)).length === 1;
      assertConforms(answer, right, 'The arguments are not {"city": "…"}, which parameters demand.');
    },
  }),
  param('parallel', 'parallel_tool_calls false has at most one tool called', {
    param: ['tools', 'parallel_tool_calls', 'tool_choice'],
    section: 'Create chat completion',
    fields: {
      messages: [{ role: 'user', content: 'What is the weather in Paris and in London?' }],
      tools: [weather],
      tool_choice: 'required',
      parallel_tool_calls: false,
    },
    effect: (answer) =>
      assertConforms(answer, calls(answer).length <= 1, `${calls(answer).length} tools were called at once.`),
  }),
  param('name', 'The name of a function may have 64 characters, digits, underscores and dashes', {
    param: ['tools', 'tool_choice'],
    section: 'Limits',
    weight: 1,
    fields: { messages, tools: [tool(`${'n'.repeat(60)}-_09`)] },
  }),
  param('no-parameters', 'A function may have no parameters', {
    param: ['tools', 'tool_choice'],
    weight: 1,
    fields: { messages, tools: [{ type: 'function', function: { name: 'ping' } }], tool_choice: 'required' },
    effect: (answer) => called(answer, ['ping']),
  }),
  param('custom', 'A custom tool is called with an input of text', {
    param: ['tools', 'tool_choice'],
    weight: 3,
    fields: { messages, tools: [{ type: 'custom', custom: { name: 'note' } }], tool_choice: { type: 'custom', custom: { name: 'note' } } }, // prettier-ignore
    effect(answer) {
      const [call] = calls(answer);
      assertConforms(answer, textAt(call, 'type') === 'custom', 'No custom tool was called.');
      assertConforms(answer, textAt(call, 'custom', 'name') === 'note', 'The call does not name the tool.');
      assertConforms(answer, textAt(call, 'custom', 'input') !== undefined, 'The input of the call is no text.');
    },
  }),
  param('grammar', 'The input of a custom tool follows its grammar', {
    param: ['tools', 'tool_choice'],
    weight: 3,
    fields: {
      messages: [{ role: 'user', content: 'Send the code.' }],
      tools: [{ type: 'custom', custom: { name: 'code', format: { type: 'grammar', grammar: { syntax: 'regex', definition: '[a-c]{3}-[0-9]{2}' } } } }], // prettier-ignore
      tool_choice: 'required',
    },
    effect(answer) {
      const input = textAt(calls(answer)[0], 'custom', 'input') ?? '';
      assertConforms(
        answer,
        /^[a-c]{3}-[0-9]{2}$/.test(input),
        `The input '${input.slice(0, 80)}' does not follow the grammar.`,
      );
    },
  }),
  param('functions', 'functions and function_call, deprecated, still have a function called', {
    param: ['functions', 'function_call'],
    section: 'Create chat completion',
    fields: { messages, functions: [{ name: 'weather', parameters }], function_call: { name: 'weather' } },
    effect(answer) {
      const message = valueAt(answer.json, 'choices', 0, 'message');
      assertConforms(
        answer,
        textAt(message, 'function_call', 'name') === 'weather',
        'message.function_call does not name weather.',
      );
      assertConforms(answer, textAt(message, 'function_call', 'arguments') !== undefined, 'The arguments are no text.');
    },
  }),
];

const city = { name: 'city', strict: true, schema: { type: 'object', properties: { city: { type: 'string' }, inhabitants: { type: 'integer' } }, required: ['city', 'inhabitants'], additionalProperties: false } }; // prettier-ignore

const form = (name: string, title: string, fields: object, effect?: ParameterEffectInit['effect']): Check =>
  parameterEffect(CREATE, `format.${name}`, { title, section: 'Create chat completion', weight: 2, param: ['response_format'], fields, ...(effect && { effect }) }); // prettier-ignore

const content = (answer: Answer): unknown => parseJson(textAt(answer.json, 'choices', 0, 'message', 'content') ?? '');

/** The forms that an answer may be held to. */
export const formatChecks: readonly Check[] = [
  form('text', 'response_format may be text', { response_format: { type: 'text' } }),
  form(
    'json_object',
    'An answer of response_format json_object is a JSON object',
    {
      messages: [{ role: 'user', content: 'Answer in JSON: where is Paris?' }],
      response_format: { type: 'json_object' },
    },
    (answer) => assertConforms(answer, typeof content(answer) === 'object', 'The content is no JSON object.'),
  ),
  form(
    'json_schema',
    'An answer of a strict json_schema follows it',
    {
      messages: [{ role: 'user', content: 'Paris has 2102650 inhabitants.' }],
      response_format: { type: 'json_schema', json_schema: city },
    },
    (answer) => {
      const value = content(answer);
      const right = typeof valueAt(value, 'city') === 'string' && Number.isInteger(valueAt(value, 'inhabitants'));
      assertConforms(
        answer,
        right && Object.keys(fieldsOf(value)).length === 2,
        'The content does not follow the schema.',
      );
    },
  ),
  form('name', 'The name of a json_schema may have 64 characters', {
    response_format: { type: 'json_schema', json_schema: { ...city, name: `${'n'.repeat(60)}-_09` } },
  }),
];
