import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineSplitter, splitLines } from '../../media/files/lines.ts';
import type { SplitLine } from '../../media/files/lines.ts';
import { maxListedErrors, validate } from './input.ts';
import { createLinePlanner } from './line-plan.ts';
import { BATCH_MAX_LINES } from '@modelwire/schema';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function split(bytes: Uint8Array, cuts: readonly number[] = [], maxBytes = 20): SplitLine[] {
  const splitter = lineSplitter(maxBytes);
  const lines: SplitLine[] = [];
  let start = 0;
  for (const end of [...cuts.toSorted((a, b) => a - b), bytes.length]) {
    const piece = bytes.slice(start, Math.max(start, end));
    lines.push(...splitter.push(piece));
    // The source may reuse the memory of the piece.
    piece.fill(0x21);
    start = Math.max(start, end);
  }
  return [...lines, ...splitter.end()];
}

const texts = (bytes: Uint8Array): (string | undefined)[] => split(bytes).map(({ text, problem }) => problem ?? text);

test.each([
  ['LF and CRLF end lines', 'one\ntwo\r\nthree\n', ['one', 'two', 'three']],
  ['the last line needs no end', 'one\ntwo', ['one', 'two']],
  ['a byte order mark at the beginning is passed over', '\uFEFFone\ntwo', ['one', 'two']],
  ['a byte order mark elsewhere is part of its line', 'one\n\uFEFFtwo', ['one', '\uFEFFtwo']],
  ['a file that ends within CRLF', 'one\r', ['one']],
  ['a single CR ends nothing', 'one\rtwo', ['one\rtwo']],
  ['other separators of Unicode end nothing', 'one\u2028two', ['one\u2028two']],
  ['no bytes are no lines', '', []],
  ['a mark alone is no line', '\uFEFF', []],
  ['blank lines are no lines', '\n \t\r\n\none\n\n', ['one']],
])('%s', (_, text, expected) => {
  expect(texts(bytesOf(text))).toEqual(expected);
});

test('lines are numbered from 1, including blank ones', () => {
  expect(split(bytesOf('\none\n\r\ntwo')).map(({ number }) => number)).toEqual([2, 4]);
});

test('reports a line that is too long, and reads the next one', () => {
  expect(texts(bytesOf(`${'x'.repeat(20)}\r\n${'x'.repeat(21)}\n${'x'.repeat(100)}\nfour`))).toEqual([
    'x'.repeat(20),
    'too_long',
    'too_long',
    'four',
  ]);
});

test('reports the line of invalid UTF-8', () => {
  expect(texts(new Uint8Array([0x61, 0x0a, 0xc3, 0x28, 0x0a, 0x62, 0x0a, 0xe2, 0x82]))).toEqual([
    'a',
    'not_utf8',
    'b',
    'not_utf8',
  ]);
});

test('the lines are the same however the bytes are split', () => {
  const word = fc.constantFrom('a', 'é', '😀', '\r', '\n', '\r\n', ' ', '\uFEFF', 'x'.repeat(11));
  const bytes = fc.oneof(
    fc.array(word).map((words) => bytesOf(words.join(''))),
    fc.uint8Array({ maxLength: 60 }),
  );
  fc.assert(
    fc.property(bytes, fc.array(fc.nat(200), { maxLength: 20 }), (whole, cuts) => {
      const inRange = cuts.map((cut) => cut % (whole.length + 1));
      expect(split(whole, inRange)).toEqual(split(whole));
    }),
    { numRuns: 500 },
  );
});

test('an endless line takes no memory beyond the limit', () => {
  const splitter = lineSplitter(1000);
  const piece = new Uint8Array(64 * 1024).fill(0x61);
  const before = process.memoryUsage().arrayBuffers;
  for (let megabytes = 0; megabytes < 200 * 16; megabytes++) expect(splitter.push(piece)).toEqual([]);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20 * 1024 * 1024);
  expect(splitter.end()).toMatchObject([{ number: 1, text: undefined, problem: 'too_long' }]);
});

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
  expect(await check(json(line, other))).toMatchObject({ ok: true, total: 2, model: 'm' });
  expect(await check(json(line, { ...other, body: { ...line.body, model: 'n' } }))).toMatchObject({
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

interface PlannedLine {
  readonly model?: string;
  readonly system?: string | undefined;
}

/** The lines in the order in which they run. */
async function orderOf(lines: readonly PlannedLine[]): Promise<readonly number[]> {
  const found = await check(
    json(
      ...lines.map(({ model = 'm', system }, index) => {
        const messages = [...(system ? [{ role: 'system', content: system }] : []), { role: 'user', content: index }];
        return { ...line, custom_id: String(index), body: { model, messages } };
      }),
    ),
  );
  return found.ok ? found.plan.order : [];
}

/** The number of times that a line has another value than the line before it. */
function changes(values: readonly unknown[]): number {
  return values.filter((value, index) => index > 0 && value !== values[index - 1]).length;
}

test('lines with the same system message run together, eight groups at a time', async () => {
  const systemOf = (index: number): string => `system ${index % 20}`;
  const order = await orderOf(Array.from({ length: 4000 }, (_, index) => ({ system: systemOf(index) })));
  const systems = order.map(systemOf);
  expect(changes(systems)).toBeLessThan(100);
  expect(changes(Array.from(order.keys(), systemOf))).toBe(3999);
  const isActive = (system: string, at: number): boolean =>
    systems.indexOf(system) <= at && systems.lastIndexOf(system) >= at;
  const activeAt = (at: number): number => new Set(systems.filter((system) => isActive(system, at))).size;
  expect(Math.max(...Array.from({ length: 40 }, (_, index) => activeAt(index * 100)))).toBe(8);
});

test('lines that share their system message with no other do not wait for a large group', async () => {
  const lines = Array.from({ length: 1100 }, (_, index) => ({ system: index < 1000 ? 'long' : `of ${index}` }));
  const order = await orderOf([...lines, {}, {}]);
  expect(order.findLastIndex((index) => index >= 1000)).toBeLessThan(250);
});

test('lines of several models alternate, so that those of one do not keep the slots of another empty', async () => {
  const models = ['a', 'a', 'a', 'b', 'b', 'c'];
  const order = await orderOf(models.map((model) => ({ model, system: 'same' })));
  expect(order.map((index) => models[index])).toEqual(['a', 'b', 'c', 'a', 'b', 'a']);
});

test('the tools and instructions of responses count like system messages', () => {
  const planner = createLinePlanner();
  const bodies = [
    { instructions: 'Be brief.', input: 'x' },
    { tools: [{ type: 'function', name: 'f' }], input: 'x' },
    {
      input: [
        { role: 'developer', content: 'Be brief.' },
        { role: 'user', content: 'x' },
      ],
    },
    { input: 'no start to share' },
  ];
  for (const body of [...bodies, ...bodies]) planner.add({ start: 0, end: 0, checksum: 0 }, body);
  expect(planner.finish().order).toEqual([3, 7, 0, 4, 1, 5, 2, 6]);
});

test('every line runs once, whatever the lines have in common', async () => {
  const planned = fc.record({
    model: fc.constantFrom('a', 'b'),
    system: fc.option(fc.constantFrom('x', 'y', 'z'), { nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(planned, { minLength: 1, maxLength: 50 }), async (lines) => {
      expect((await orderOf(lines)).toSorted((a, b) => a - b)).toEqual([...lines.keys()]);
    }),
  );
});
