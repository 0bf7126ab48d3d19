import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { parseChatCompletionCreate } from '../chat/parse.ts';
import { contract } from '../contract.ts';
import {
  BODY_MAX_DEPTH,
  BODY_MAX_FIELDS,
  CONTENT_PARTS_MAX,
  MESSAGES_MAX,
  MODERATION_INPUTS_MAX,
  TOOLS_MAX,
} from '../limits.ts';
import { parseFields } from './fields.ts';
import { moderationCreateParamsSchema } from '../moderations.ts';
import { parseRequest } from './parse.ts';
import type { Problem } from '../types/parts.ts';

const STEP = /^(?:\.?([\w$-]+)|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\])/;

/** Whether `param` is a path of the body whose parents all exist; the last field may be missing. */
function isPathOfBody(body: unknown, param: string): boolean {
  let value = body;
  let rest = param;
  while (rest !== '') {
    const match = STEP.exec(rest);
    if (!match || typeof value !== 'object' || value === null) return false;
    const key = match[1] ?? match[2] ?? String(JSON.parse(`"${match[3] ?? ''}"`));
    value = Object.getOwnPropertyDescriptor(value, key)?.value;
    rest = rest.slice(match[0].length);
  }
  return true;
}

function expectValidProblem(problem: Problem, body: unknown): void {
  expect(problem.type).toBe('invalid_request_error');
  expect(problem.message).not.toBe('');
  expect(problem.message).not.toContain('Invalid input');
  expect(problem.message.length).toBeLessThan(900);
  expect(problem.code).toMatch(/^[a-z_]+$/);
  if (problem.param !== null) expect([problem.param, isPathOfBody(body, problem.param)]).toEqual([problem.param, true]);
}

const key = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length', '', 'type', 'role', 'content'),
  fc.string({ unit: 'binary', maxLength: 80 }),
);
const anyJson = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, 0, 1.5, -1, 1e308, '', 'user', 'text', 'function'),
    fc.string({ unit: 'binary' }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map((pairs) => Object.fromEntries(pairs)),
  ),
})).value;

const part = fc.record({
  type: fc.constantFrom('text', 'image_url', 'file', 'input_audio', 'refusal'),
  text: anyJson,
  image_url: anyJson,
  file: anyJson,
});
const message = fc.record(
  {
    role: fc.constantFrom('user', 'system', 'assistant', 'tool', 'function', 'developer'),
    content: fc.oneof(fc.string(), fc.array(fc.oneof(part, anyJson), { maxLength: 3 }), anyJson),
    tool_calls: anyJson,
    tool_call_id: fc.string(),
    name: anyJson,
  },
  { requiredKeys: ['role'] },
);
const nearlyValidRequest = fc.record(
  {
    model: fc.oneof(fc.constant('m'), anyJson),
    messages: fc.oneof(fc.array(message, { maxLength: 4 }), anyJson),
    tools: anyJson,
    tool_choice: anyJson,
    stop: anyJson,
    metadata: anyJson,
    logit_bias: anyJson,
    response_format: anyJson,
    audio: anyJson,
  },
  { requiredKeys: ['model', 'messages'] },
);

test('rejects an object that cannot be compared in place of a list', () => {
  const body = { model: 'm', messages: { length: { toString: null } } };
  expect(parseChatCompletionCreate(body)).toMatchObject({ ok: false, problem: { code: 'invalid_type', param: null } });
});

test('a TypeError that the body did not cause is thrown, not reported as a problem of the request', () => {
  const schema = z.object({ a: z.string() }).transform(() => {
    throw new TypeError('a defect');
  });
  expect(() => parseRequest(schema, { a: 'x' })).toThrow('a defect');
});

test('any JSON is either a valid chat request or a problem with the path of the field', () => {
  fc.assert(
    fc.property(
      fc.oneof(nearlyValidRequest, anyJson),
      fc.constantFrom('refuse' as const, 'keep' as const),
      (body, unknownFields) => {
        const before = JSON.stringify(body);
        const parsed = parseChatCompletionCreate(body, { unknownFields });
        if (!parsed.ok) expectValidProblem(parsed.problem, body);
        expect(JSON.stringify(body)).toBe(before);
      },
    ),
    { numRuns: 2000 },
  );
});

const bodies = Object.values(contract).flatMap(({ id, request }) => request.map((one) => ({ id, ...one })));

test.each(bodies)('any JSON is either a valid body of $id or a problem with the path of the field', ({ schema }) => {
  const known = fc.record(Object.fromEntries(Object.keys(schema.shape).map((name) => [name, anyJson])), {
    requiredKeys: [],
  });
  fc.assert(
    fc.property(fc.oneof(known, anyJson), (body) => {
      const parsed = parseRequest(schema, body);
      if (!parsed.ok) expectValidProblem(parsed.problem, body);
    }),
    { numRuns: 200 },
  );
});

test('any query is parsed or refused', () => {
  const name = fc.oneof(
    fc.constantFrom('limit', 'after', 'metadata', 'metadata[a]', 'metadata[__proto__]', 'limit[a]', '[', '__proto__'),
    fc.string(),
  );
  const { query } = contract['chat.completions.list'];
  fc.assert(
    fc.property(fc.array(fc.tuple(name, fc.string())), (fields) => {
      const parsed = parseFields(query, fields);
      if (!parsed.ok) expect(parsed.problem.message).not.toBe('');
    }),
  );
});

test('rejects a body that is nested beyond the limit, and accepts one at the limit', () => {
  const nested = (levels: number): unknown => {
    let value: unknown = {};
    for (let level = 1; level < levels; level++) value = [value];
    return value;
  };
  const request = (levels: number): unknown => ({
    model: 'm',
    messages: [{ role: 'user', content: 'x' }],
    tools: [{ type: 'function', function: { name: 'f', parameters: { deep: nested(levels) } } }],
  });
  // The body, tools, its item, function and parameters are five levels themselves.
  expect(parseChatCompletionCreate(request(BODY_MAX_DEPTH - 5)).ok).toBe(true);
  expect(parseChatCompletionCreate(request(BODY_MAX_DEPTH - 4))).toMatchObject({
    ok: false,
    problem: { code: 'invalid_value', param: 'tools[0].function.parameters' },
  });
  expect(parseChatCompletionCreate(request(200_000)).ok).toBe(false);
});

test("rejects an own '__proto__' at any depth, and does not change any prototype", () => {
  const body: unknown = JSON.parse(
    '{"model":"m","messages":[{"role":"user","content":"x"}],"tools":[{"type":"function","function":{"name":"f","parameters":{"a":{"__proto__":{"polluted":true}}}}}]}',
  );
  expect(parseChatCompletionCreate(body)).toMatchObject({
    problem: { param: 'tools[0].function.parameters.a.__proto__', code: 'unknown_parameter' },
  });
  expect({}).not.toHaveProperty('polluted');
});

test('never quotes more than a line of the request', () => {
  const long = 'x'.repeat(100_000);
  const user = { role: 'user', content: 'x' };
  for (const body of [
    { model: 'm', messages: [user], [long]: 1 },
    { model: 'm', messages: [user], verbosity: long },
    { model: 'm', messages: [user], metadata: { [long]: '' } },
    { model: 'm', messages: [user], logit_bias: { [long]: 1 } },
    { model: 'm', messages: [user, { role: 'tool', content: '', tool_call_id: long }] },
    { model: 'm', messages: [user], functions: [{ name: 'f' }], function_call: { name: long } },
    { model: 'm', messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: long } }] }] },
  ]) {
    const parsed = parseChatCompletionCreate(body);
    const message = parsed.ok ? long : parsed.problem.message + String(parsed.problem.param);
    expect(message).not.toContain('x'.repeat(100));
  }
});

test('checks the maximum number of tools and allowed tools', () => {
  const tools = Array.from({ length: TOOLS_MAX }, (_, index) => ({
    type: 'function',
    function: { name: `f${index}` },
  }));
  const allowed = { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools } };
  const body = { model: 'm', messages: [{ role: 'user', content: 'x' }], tools, tool_choice: allowed };
  expect(parseChatCompletionCreate(body).ok).toBe(true);
});

test('rejects a map with too many keys before it reads them', () => {
  const metadata = Object.fromEntries(Array.from({ length: BODY_MAX_FIELDS + 1 }, (_, index) => [`k${index}`, 1]));
  const body = { model: 'm', messages: [{ role: 'user', content: 'x' }], metadata };
  expect(parseChatCompletionCreate(body)).toMatchObject({
    problem: { code: 'object_above_max_properties', param: 'metadata' },
  });
});

test('rejects more unknown fields than zod can report, without throwing', () => {
  const content = Array.from({ length: 300_000 }, () => ({ type: 'text', text: 'a', x: 1 }));
  const body = { model: 'm', messages: [{ role: 'user', content }] };
  expect(parseChatCompletionCreate(body)).toMatchObject({ ok: false, problem: { type: 'invalid_request_error' } });
});

test('reports one problem for a million invalid items', () => {
  const body = { model: 'm', messages: Array.from({ length: 1_000_000 }, () => 5) };
  expect(parseChatCompletionCreate(body)).toMatchObject({
    problem: { code: 'array_above_max_length', param: 'messages' },
  });
});

const containing = (text: string): unknown => expect.stringContaining(text);
const many = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => item(index));
const chatWith = (more: object) =>
  parseChatCompletionCreate({ model: 'm', messages: [{ role: 'user', content: 'x' }], ...more });
const userMessage = (index: number) => ({ role: 'user', content: `${index}` });
const textPart = (index: number) => ({ type: 'text', text: `${index}` });
const tool = (index: number) => ({ type: 'function', function: { name: `f${index}` } });
const toolCall = (index: number) => ({ id: `c${index}`, type: 'function', function: { name: 'f', arguments: '{}' } });
const answered = (count: number) => [
  { role: 'assistant', tool_calls: many(count, toolCall) },
  ...many(count, (index) => ({ role: 'tool', tool_call_id: `c${index}`, content: 'x' })),
];

test.each<[param: string, limit: number, parse: (count: number) => ReturnType<typeof parseRequest>]>([
  ['messages', MESSAGES_MAX, (count) => chatWith({ messages: many(count, userMessage) })],
  [
    'messages[0].content',
    CONTENT_PARTS_MAX,
    (count) => chatWith({ messages: [{ role: 'user', content: many(count, textPart) }] }),
  ],
  ['messages[0].tool_calls', TOOLS_MAX, (count) => chatWith({ messages: answered(count) })],
  ['tools', TOOLS_MAX, (count) => chatWith({ tools: many(count, tool) })],
  ['functions', TOOLS_MAX, (count) => chatWith({ functions: many(count, (index) => ({ name: `f${index}` })) })],
  ['modalities', 2, (count) => chatWith({ modalities: many(count, () => 'text') })],
  [
    'input',
    MODERATION_INPUTS_MAX,
    (count) => parseRequest(moderationCreateParamsSchema, { input: many(count, () => 'x') }),
  ],
  [
    'input',
    MODERATION_INPUTS_MAX,
    (count) => parseRequest(moderationCreateParamsSchema, { input: many(count, textPart) }),
  ],
])('%s takes %i items and names the limit when there is one more', (param, limit, parse) => {
  expect(parse(limit)).toMatchObject({ ok: true });
  expect(parse(limit + 1)).toMatchObject({
    ok: false,
    problem: {
      code: 'array_above_max_length',
      param,
      message: containing(`at most ${limit} items, but it has ${limit + 1}`),
    },
  });
});
