import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseResponseCreate } from './parse.ts';

const ask = { model: 'm', input: 'Hello' };

test.each(['access_programs', 'context_management', 'image', 'moderation', 'prompt'])(
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
