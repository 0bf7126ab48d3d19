import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { responseCreateParamsSchema } from './create.ts';
import { parseResponseCompact, parseResponseCreate } from './parse.ts';

const ask = { model: 'm', input: 'Hello' };

test.each(['access_programs', 'context_management', 'image', 'prompt'])(
  'refuses %s by name, also where unknown fields are kept, and takes null for absent',
  (name) => {
    const refused = { ok: false, problem: { code: 'unsupported_parameter', param: name } };
    expect(parseResponseCreate({ ...ask, [name]: {} })).toMatchObject(refused);
    expect(parseResponseCreate({ ...ask, [name]: {} }, { unknownFields: 'keep' })).toMatchObject(refused);
    expect(parseResponseCreate({ ...ask, [name]: null })).toEqual({ ok: true, value: ask });
  },
);

describe('items', () => {
  test.each([{ id: 'msg_1' }, { type: null, id: 'msg_1' }, { type: 'item_reference', id: 'msg_1' }])(
    '%j is a reference',
    (item) => {
      expect(parseResponseCreate({ model: 'm', input: [item] })).toEqual({
        ok: true,
        value: { model: 'm', input: [{ type: 'item_reference', id: 'msg_1' }] },
      });
    },
  );

  test('drop fields that the API does not know, and nulls', () => {
    const input = [{ type: null, role: 'user', content: 'Hello', id: null, provider: 'x' }];
    expect(parseResponseCreate({ model: 'm', input })).toEqual({
      ok: true,
      value: { model: 'm', input: [{ role: 'user', content: 'Hello' }] },
    });
  });
});

test('an item of an unknown type is refused with the known ones', () => {
  const parsed = parseResponseCreate({ model: 'm', input: [{ type: 'telepathy' }] });
  const message = expect.stringContaining("Supported values are: 'message', 'function_call',") as string;
  expect(parsed).toMatchObject({ ok: false, problem: { param: 'input[0].type', message } });
});

test('a request without a model gets the default model, and without input is refused', () => {
  expect(parseResponseCreate({ input: 'Hello' }, { defaultModel: 'm' })).toEqual({ ok: true, value: ask });
  expect(parseResponseCreate({ input: 'Hello' })).toMatchObject({ ok: false, problem: { param: 'model' } });
  expect(parseResponseCreate({ model: 'm' })).toMatchObject({ ok: false, problem: { param: 'input' } });
  expect(parseResponseCreate({ model: 'm', previous_response_id: 'resp_1' })).toMatchObject({ ok: true });
});

describe.each([
  ['create', parseResponseCreate],
  ['compact', parseResponseCompact],
] as const)('%s', (_, parse) => {
  test('takes client_metadata as an object of strings and drops it', () => {
    expect(parse({ ...ask, client_metadata: { session_id: 'a', 'x-codex-window-id': 'b:0' } })).toEqual({
      ok: true,
      value: ask,
    });
    expect(parse({ ...ask, client_metadata: {} })).toEqual({ ok: true, value: ask });
    expect(parse({ ...ask, client_metadata: null })).toEqual({ ok: true, value: ask });
  });

  test.each([['a'], 'a', 1, true, { a: 1 }, { a: null }, { a: { b: 'c' } }, { a: ['b'] }])(
    'refuses the client_metadata %j',
    (client_metadata) => {
      const code = 'invalid_type';
      expect(parse({ ...ask, client_metadata })).toMatchObject({
        problem: { code, param: expect.stringMatching(/^client_metadata/) as string },
      });
    },
  );

  test('refuses values of reasoning.mode and include that the API does not have', () => {
    const refused = (param: string) => ({ problem: { code: 'invalid_value', param } });
    expect(parse({ ...ask, reasoning: { mode: 'zzz' } })).toMatchObject(refused('reasoning.mode'));
    expect(parse({ ...ask, include: ['nonsense'] })).toMatchObject(refused('include[0]'));
    const request = { ...ask, reasoning: { mode: 'pro' }, include: ['file_search_call.results'] };
    expect(parse(request)).toEqual({ ok: true, value: request });
  });

  test.each(['teleport', 'web_serach', 'Function', ''])('names the unknown type of tool %j', (type) => {
    for (const [tools, param] of [
      [[{ type }], 'tools[0].type'],
      [[{ type: 'mcp' }, { type, name: 'a' }], 'tools[1].type'],
    ] as const) {
      const message = expect.stringContaining(`'${type}'. Supported values are: 'function', 'custom',`) as string;
      expect(parse({ ...ask, tools })).toMatchObject({ problem: { code: 'invalid_value', param, message } });
    }
    const added = [{ type: 'additional_tools', tools: [{ type }] }];
    expect(parse({ ...ask, input: added })).toMatchObject({ problem: { param: 'input[0].tools[0].type' } });
    expect(parse({ ...ask, tool_choice: { type } })).toMatchObject({ problem: { param: 'tool_choice.type' } });
    const allowed = { type: 'allowed_tools', mode: 'auto', tools: [{ type }] };
    expect(parse({ ...ask, tool_choice: allowed })).toMatchObject({
      problem: { param: 'tool_choice.tools[0].type' },
    });
  });
});

test('compact takes every field of create, but for stream, background, conversation and moderation', () => {
  const fields = Object.keys(responseCreateParamsSchema.shape);
  const unknown = fields.filter((name) => {
    // No field has such a value: one that is known is refused for its type.
    const parsed = parseResponseCompact({ ...ask, [name]: Symbol.iterator });
    return !parsed.ok && parsed.problem.code === 'unknown_parameter';
  });
  expect(unknown.toSorted()).toEqual(['background', 'conversation', 'moderation', 'stream']);
});

test('does not throw for any body', () => {
  fc.assert(
    fc.property(fc.anything(), fc.anything(), (body, input) => {
      expect(typeof parseResponseCreate(body).ok).toBe('boolean');
      expect(typeof parseResponseCreate({ ...ask, input }).ok).toBe('boolean');
      expect(typeof parseResponseCreate({ ...ask, input: [input], tools: [input], tool_choice: input }).ok).toBe(
        'boolean',
      );
    }),
    { numRuns: 300 },
  );
});
