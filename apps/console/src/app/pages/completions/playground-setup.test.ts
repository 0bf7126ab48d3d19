import { expect, it } from 'vitest';
import { buildRequest } from '../playground/request.ts';
import { toPlaygroundSetup } from './playground-setup.ts';

const messages = [{ role: 'user', content: 'Hello!' }] as const;
const schema = { type: 'object', properties: {}, additionalProperties: false };

it('fills the form fields, and sends the same parameters again', () => {
  const request = {
    model: 'small',
    messages,
    temperature: 0.5,
    top_p: 0.9,
    seed: 7,
    max_completion_tokens: 100,
    stop: ['END'],
    reasoning_effort: 'low',
    logprobs: true,
    top_logprobs: 3,
    tools: [{ type: 'function', function: { name: 'look' } }],
    tool_choice: 'required',
    response_format: { type: 'json_schema', json_schema: { name: 'reply', schema, strict: true } },
    n: 2,
  };
  const setup = toPlaygroundSetup({ ...request, store: true, metadata: { team: 'search' } });
  expect(setup).toMatchObject({ stop: 'END', maxTokens: '100', reasoningEffort: 'low', logprobs: true, store: false });
  expect(JSON.parse(setup.otherParameters)).toEqual({ top_logprobs: 3, tool_choice: 'required', n: 2 });
  expect(buildRequest({ ...setup, system: '' }, 'small', messages)).toEqual({ ...request, stop: 'END' });
});

it('passes formats and stop sequences that have no form field as other parameters', () => {
  const request = { model: 'small', messages, stop: ['a', 'b'], response_format: { type: 'json_object' } };
  const setup = toPlaygroundSetup(request);
  expect(setup).toMatchObject({ stop: '', schema: '' });
  expect(buildRequest({ ...setup, system: '' }, 'small', messages)).toEqual(request);
});
