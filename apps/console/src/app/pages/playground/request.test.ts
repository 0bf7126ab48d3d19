import { expect, it } from 'vitest';
import { buildRequest, SetupError } from './request.ts';
import { emptySetup } from './setup.ts';

const messages = [{ role: 'user', content: 'Hello!' }] as const;

it('sends only the parameters that are set', () => {
  expect(buildRequest(emptySetup, 'm', messages)).toEqual({ model: 'm', messages });
});

it('sends the system prompt first, numbers as numbers, and the schema as a strict response format', () => {
  const setup = {
    ...emptySetup,
    system: 'Be brief.',
    temperature: '0.5',
    maxTokens: '100',
    seed: '7',
    schema: '{"type":"object"}',
    tools: '[{"type":"function","function":{"name":"f"}}]',
    store: true,
    logprobs: true,
    reasoningEffort: 'low',
    otherParameters: '{"n":2,"top_logprobs":3}',
  };
  expect(buildRequest(setup, 'm', messages)).toEqual({
    model: 'm',
    messages: [{ role: 'system', content: 'Be brief.' }, ...messages],
    temperature: 0.5,
    max_completion_tokens: 100,
    seed: 7,
    response_format: { type: 'json_schema', json_schema: { name: 'reply', schema: { type: 'object' }, strict: true } },
    tools: [{ type: 'function', function: { name: 'f' } }],
    store: true,
    logprobs: true,
    top_logprobs: 3,
    reasoning_effort: 'low',
    n: 2,
  });
});

it('replaces variables in the system prompt and in messages', () => {
  const setup = { ...emptySetup, system: 'Be {{tone}}.', variables: { tone: 'brief', name: 'Ana' } };
  expect(buildRequest(setup, 'm', [{ role: 'user', content: 'Hello {{name}}!' }])).toMatchObject({
    messages: [{ content: 'Be brief.' }, { content: 'Hello Ana!' }],
  });
});

it.each([
  ['Temperature', { temperature: 'warm' }],
  ['Maximum tokens', { maxTokens: '1.5' }],
  ['Tools', { tools: '{}' }],
  ['Tools', { tools: '[' }],
  ['Output schema', { schema: '[]' }],
  ['Other parameters', { otherParameters: '[1]' }],
  ['Other parameters', { otherParameters: '{"messages":[]}' }],
])('throws an error that names %s', (field, changes) => {
  const build = () => buildRequest({ ...emptySetup, ...changes }, 'm', messages);
  expect(build).toThrow(SetupError);
  expect(build).toThrow(field);
});

it('throws an error without a model', () => {
  expect(() => buildRequest(emptySetup, '', messages)).toThrow('Model');
});
