import type { ChatCompletionCreateParams } from '@modelwire/schema/types';
import { expect, test } from 'vitest';
import { RequestError } from '../errors.ts';
import { assertSupported } from './assert-supported.ts';
import { allCapabilities, capabilities } from '@modelwire/ports';
import type { CapabilitiesInit } from '@modelwire/ports';

const user = { role: 'user', content: 'hi' } as const;

function check(requestBody: Partial<ChatCompletionCreateParams>, init: CapabilitiesInit = {}) {
  const model = { id: 'm', created: 0, owned_by: 'me', capabilities: capabilities(init) };
  try {
    assertSupported({ model: 'm', messages: [user], ...requestBody }, model);
  } catch (error) {
    if (error instanceof RequestError) return [error.status, error.code, error.param];
    throw error;
  }
  return 'accepted';
}

test.each<[string, Partial<ChatCompletionCreateParams>]>([
  ['temperature', { temperature: 0.5 }],
  ['seed', { seed: 1 }],
  ['logprobs', { logprobs: true }],
  ['tools', { tools: [{ type: 'function', function: { name: 'f' } }] }],
  ['reasoning_effort', { reasoning_effort: 'low' }],
  ['response_format', { response_format: { type: 'json_object' } }],
  ['prediction', { prediction: { type: 'content', content: 'x' } }],
  ['web_search_options', { web_search_options: {} }],
])('refuses %s for a model without support, and names the parameter', (param, requestBody) => {
  const init: CapabilitiesInit = { parameters: { web_search_options: 'refused' } };
  expect(check(requestBody, init)).toEqual([400, 'unsupported_parameter', param]);
});

test('accepts a parameter with its default value', () => {
  const defaults: Partial<ChatCompletionCreateParams> = {
    temperature: 1,
    top_p: 1,
    frequency_penalty: 0,
    presence_penalty: 0,
    logit_bias: {},
    logprobs: false,
    modalities: ['text'],
    response_format: { type: 'text' },
    parallel_tool_calls: true,
    tool_choice: 'none',
    verbosity: 'medium',
    n: 1,
    min_p: 0,
    repeat_penalty: 1,
    top_k: 0,
    typical_p: 1,
    top_logprobs: 0,
    seed: null,
    stop: null,
    reasoning_effort: null,
  };
  expect(check(defaults, { parameters: { n: 'refused', stop: 'refused' } })).toBe('accepted');
});

test('refuses the default reasoning effort for a model that does not reason', () => {
  expect(check({ reasoning_effort: 'medium' }, {})).toEqual([400, 'unsupported_parameter', 'reasoning_effort']);
});

test('the error for an unsupported max_tokens names the parameter to use instead', () => {
  expect(check({ max_tokens: 5 }, { parameters: { max_tokens: 'refused' } })).toEqual([
    400,
    'unsupported_parameter',
    'max_tokens',
  ]);
});

test('refuses values that the model does not support, and names the field', () => {
  const limited = allCapabilities({
    efforts: { values: ['high'], default: 'high' },
    tool_types: ['custom'],
    inputs: ['text'],
  });
  expect(check({ reasoning_effort: 'none' }, limited)).toEqual([400, 'unsupported_value', 'reasoning_effort']);
  expect(check({ tools: [{ type: 'function', function: { name: 'f' } }] }, limited)).toEqual([
    400,
    'unsupported_value',
    'tools[0].type',
  ]);
  const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } } as const;
  expect(check({ messages: [user, { role: 'user', content: [image] }] }, limited)).toEqual([
    400,
    'unsupported_value',
    'messages[1].content[0].type',
  ]);
  expect(check({ messages: [{ role: 'developer', content: 'x' }] }, { ...limited, roles: ['system', 'user'] })).toEqual(
    [400, 'unsupported_value', 'messages[0].role'],
  );
});

test('refuses a grammar syntax that the model does not support, and names the field', () => {
  const custom = {
    name: 'c',
    format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'start: "a"' } },
  } as const;
  const regexOnly = allCapabilities({ grammars: ['regex'], structured_outputs: 'off' });
  expect(check({ tools: [{ type: 'custom', custom }] }, regexOnly)).toEqual([
    400,
    'unsupported_value',
    'tools[0].custom.format.grammar.syntax',
  ]);
});

test('rejects a parameter that is declared emulated and cannot be emulated', () => {
  const invalid = { parameters: { tools: 'emulated' } } as unknown as CapabilitiesInit;
  expect(() => capabilities(invalid)).toThrow("'tools' cannot be emulated");
});

test('a model with all capabilities accepts all parameters', () => {
  expect(check({ temperature: 0, seed: 1, n: 3, modalities: ['text', 'audio'] }, allCapabilities())).toBe('accepted');
});

test('functions are emulated only with function tools', () => {
  const tools = { parameters: { tools: 'native' }, tool_types: ['function'] } as const;
  expect(capabilities(tools).parameters.functions).toBe('emulated');
  expect(capabilities({ parameters: { tools: 'native' }, tool_types: ['custom'] }).parameters.functions).toBe(
    'refused',
  );
  expect(() => capabilities({ parameters: { functions: 'emulated' } })).toThrow("'functions' is emulated by function");
});
