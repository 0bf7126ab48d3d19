import { describe, expect, test } from 'vitest';
import { adapters, key, listen } from '../testing/listen.ts';
import { says, scriptedEngine } from '../testing/scripted-engine.ts';
import { parseExactJson } from '../json/exact-json.ts';
import { withExactSeed } from './parse-request.ts';

const max = '9223372036854775807';
const read = (text: string): unknown => withExactSeed(parseExactJson(text));

describe('the seed of a body', () => {
  test.each([
    [`{"seed":${max}}`, 2n ** 63n - 1n],
    ['{ "a": 1,\n\t"seed" :\r\n-9223372036854775808 }', -(2n ** 63n)],
    ['{"seed":9007199254740993,"a":[]}', 9007199254740993n],
    ['{"seed":9007199254740992}', 9007199254740992n],
    ['{"seed":1e18}', 10n ** 18n],
    ['{"seed":9007199254740991}', 9007199254740991],
    ['{"seed":7}', 7],
    ['{"seed":null}', null],
  ])('in %s is exact', (text, seed) => {
    expect(read(text)).toHaveProperty('seed', seed);
  });

  test.each([['9223372036854775807.5'], ['9223372036854775807e1'], ['99999999999999999999']])(
    '%s stays a number, which the schema rejects',
    (digits) => {
      expect(read(`{"seed":${digits}}`)).toEqual({ seed: Number(digits) });
    },
  );

  test('does not change other fields that are called seed, nor text that looks like one', () => {
    const tool = `{"const":{"seed":9007199254740995},"description":"{\\"seed\\": ${max}}, \\"seed\\":${max}"}`;
    const text = `{"tools":[${tool}],"seed":${max},"user":"{,\\"seed\\":${max}"}`;
    const { seed, ...rest } = read(text) as Record<string, unknown>;
    expect(seed).toBe(2n ** 63n - 1n);
    expect(JSON.stringify(rest)).toBe(text.replace(`"seed":${max},"user"`, '"user"'));
  });

  test('the same object is returned if its seed is a number', () => {
    const body = { seed: 5, messages: [] };
    expect(withExactSeed(body)).toBe(body);
  });
});

describe.each(adapters)('by way of %s', (adapter) => {
  const engine = scriptedEngine(() => says('Hi'), { can: { parameters: { seed: 'native' } } });
  async function ask(seed: string): Promise<Response> {
    const { url } = await listen({ engines: [engine] }, adapter);
    return fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: `{"model":"scripted","messages":[{"role":"user","content":"Hello"}],"seed":${seed}}`,
    });
  }

  test.each([[max], ['-9223372036854775808'], ['9007199254740993']])('the engine gets the seed %s', async (seed) => {
    expect((await ask(seed)).status).toBe(200);
    expect(engine.asked.at(-1)?.request.seed).toBe(BigInt(seed));
  });

  test.each([
    ['9223372036854775808', 'integer_above_max_value', /<= 9223372036854775807\b/],
    ['18446744073709551615', 'integer_above_max_value', /<= 9223372036854775807\b/],
    ['-9223372036854775809', 'integer_below_min_value', />= -9223372036854775808\b/],
    ['1.5', 'invalid_type', /expected an integer/],
  ])('returns 400 and names the range for the seed %s', async (seed, code, message) => {
    const response = await ask(seed);
    expect(response.status).toBe(400);
    const { error } = (await response.json()) as { error: { message: string } };
    expect(error).toMatchObject({ param: 'seed', code });
    expect(error.message).toMatch(message);
  });
});
