import { BATCH_MAX_LINES } from '@modelwire/schema';
import { expect, test } from 'vitest';
import { splitLines } from './split-lines.ts';
import { maxListedErrors, validate } from './validate.ts';

const endpoint = '/v1/chat/completions';
const line = { custom_id: 'a', method: 'POST', url: endpoint, body: { model: 'm', messages: [] } };

function check(text: string, maxBytes = 1000) {
  const bytes = async function* () {
    yield await Promise.resolve(new TextEncoder().encode(text));
  };
  const { signal } = new AbortController();
  return validate(splitLines(bytes(), maxBytes), {
    endpoint,
    required: ['model', 'messages'],
    maxBytes,
    unknownFields: 'refuse',
    signal,
  });
}

const json = (...lines: readonly unknown[]): string => lines.map((one) => JSON.stringify(one)).join('\n');

test('counts the lines, and returns the model if all lines have the same', async () => {
  const other = { ...line, custom_id: 'b' };
  expect(await check(json(line, other))).toEqual({ ok: true, total: 2, model: 'm' });
  expect(await check(json(line, { ...other, body: { ...line.body, model: 'n' } }))).toEqual({
    ok: true,
    total: 2,
    model: null,
  });
});

test('does not validate parameters of the endpoint, which fail when the line runs', async () => {
  const asks = { ...line.body, messages: 'none', unheard_of: true, temperature: 99, stream: false };
  expect(await check(json({ ...line, body: asks }))).toMatchObject({ ok: true });
});

test.each([
  ['no line at all', '', null, 'empty_file', null],
  ['blank lines alone', '\n\r\n \n', null, 'empty_file', null],
  ['what is no JSON', '{"custom_id": "a"', 1, 'invalid_json_line', null],
  ['a list', '[]', 1, 'invalid_json_line', null],
  ['null', 'null', 1, 'invalid_json_line', null],
  ['no custom_id', json({ ...line, custom_id: undefined }), 1, 'missing_required_parameter', 'custom_id'],
  ['an empty custom_id', json({ ...line, custom_id: '' }), 1, 'empty_string', 'custom_id'],
  ['a long custom_id', json({ ...line, custom_id: 'x'.repeat(513) }), 1, 'string_above_max_length', 'custom_id'],
  ['a custom_id that is no text', json({ ...line, custom_id: 1 }), 1, 'invalid_type', 'custom_id'],
  ['a custom_id that was used', json(line, line), 2, 'duplicate_custom_id', 'custom_id'],
  ['another method', json({ ...line, method: 'GET' }), 1, 'invalid_value', 'method'],
  ['no method', json({ ...line, method: undefined }), 1, 'missing_required_parameter', 'method'],
  ['another endpoint', json({ ...line, url: '/v1/moderations' }), 1, 'invalid_url', 'url'],
  ['an address', json({ ...line, url: 'https://a.example/v1/chat/completions' }), 1, 'invalid_url', 'url'],
  ['no url', json({ ...line, url: undefined }), 1, 'missing_required_parameter', 'url'],
  ['no body', json({ ...line, body: undefined }), 1, 'missing_required_parameter', 'body'],
  ['a body that is a text', json({ ...line, body: 'text' }), 1, 'invalid_type', 'body'],
  ['a body that is a list', json({ ...line, body: [] }), 1, 'invalid_type', 'body'],
  ['a field that is unknown', json({ ...line, priority: 1 }), 1, 'unknown_parameter', 'priority'],
  ['a stream', json({ ...line, body: { ...line.body, stream: true } }), 1, 'streaming_unsupported', 'body.stream'],
  ['a body without a model', json({ ...line, body: { messages: [] } }), 1, 'invalid_request', 'body.model'],
  [
    'a body whose model is null',
    json({ ...line, body: { ...line.body, model: null } }),
    1,
    'invalid_request',
    'body.model',
  ],
  ['a body without messages', json({ ...line, body: { model: 'm' } }), 1, 'invalid_request', 'body.messages'],
  ['a line too long', json({ ...line, body: { text: 'x'.repeat(1000) } }), 1, 'line_too_long', null],
  ['what is no JSON, by its line', `\n\n${json(line)}\nx`, 4, 'invalid_json_line', null],
  ['too deep a body', `{"body":${'['.repeat(400)}${']'.repeat(400)}}`, 1, 'invalid_value', 'body[0][0][0]'],
])('refuses %s', async (_, text, number, code, param) => {
  const found = await check(text);
  expect(found).toMatchObject({ ok: false, errors: [{ line: number, code, param }] });
});

test('lists the error of each line, up to a maximum', async () => {
  const few = await check(json(line, { ...line, method: 'PUT' }, 7, { ...line, custom_id: 'c' }, line));
  expect(few.ok ? [] : few.errors.map((one) => [one.line, one.code])).toEqual([
    [2, 'invalid_value'],
    [3, 'invalid_json_line'],
    [5, 'duplicate_custom_id'],
  ]);
  const many = await check('x\n'.repeat(1000));
  expect(many.ok ? 0 : many.errors.length).toBe(maxListedErrors);
});

test(`accepts ${BATCH_MAX_LINES} requests and not one more`, async () => {
  const lines = (count: number): string =>
    Array.from({ length: count }, (_, n) => json({ ...line, custom_id: String(n) })).join('\n');
  expect(await check(lines(BATCH_MAX_LINES))).toMatchObject({ ok: true, total: BATCH_MAX_LINES });
  expect(await check(lines(BATCH_MAX_LINES + 1))).toMatchObject({
    errors: [{ line: BATCH_MAX_LINES + 1, code: 'too_many_requests' }],
  });
});
