import { describe, expect, test } from 'vitest';
import { parseChatCompletionCreate } from '../chat/parse.ts';
import { parseResponseCreate } from '../responses/parse.ts';
import { chatHints, responseHints } from './hints.ts';

const chat = { model: 'm', messages: [{ role: 'user', content: 'Hello' }] };
const response = { model: 'm', input: 'Hello' };

describe.each([
  ['chat completion', chatHints, chat, parseChatCompletionCreate],
  ['response', responseHints, response, parseResponseCreate],
])('a %s', (_, hints, body, parse) => {
  test('is parsed without the hints of gateways', () => {
    expect(parse({ ...body, ...Object.fromEntries(hints) })).toEqual({ ok: true, value: body });
  });

  test.each([...hints])('is refused by name with another value of %s', (name, value) => {
    const other = typeof value === 'boolean' ? !value : value + 0.5;
    expect(parse({ ...body, [name]: other })).toMatchObject({ ok: false, problem: { param: name } });
  });
});
