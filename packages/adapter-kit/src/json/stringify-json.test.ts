import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringifyJson } from './stringify-json.ts';

/** Makes a value large, so that it is written in slices. */
const padding = 'p'.repeat(2 ** 20);

test('a small value is written at once', () => expect(stringifyJson({ a: [1] })).toBe('{"a":[1]}'));

test('the JSON of a large value is that of JSON.stringify', async () => {
  await fc.assert(
    fc.asyncProperty(fc.object({ withDate: true, withNullPrototype: true, maxDepth: 3 }), async (value) => {
      const large = { value, padding, list: [value, padding], absent: undefined };
      expect(await stringifyJson(large)).toBe(JSON.stringify(large));
    }),
    { numRuns: 20 },
  );
});

describe('a large value with', () => {
  test.each([
    ['surrogate pairs at every position', { a: 'x', text: '😀'.repeat(300_000), shifted: `y${'😀'.repeat(300_000)}` }],
    ['lone surrogates', [`\ud800${padding}\udc00`, `${'z'.repeat(64 * 1024 - 1)}\ud83d`, padding]],
    ['escapes', { text: '\n"\\\u0001'.repeat(300_000) }],
    ['many values', Array.from({ length: 100_000 }, (_, at) => ({ at, text: `${at}` }))],
    ['absent values', [undefined, () => 1, { a: undefined }, [undefined], padding]],
    ['a serialization of its own', { date: new Date(0), custom: { toJSON: () => padding }, padding }],
    ['large objects without members that JSON has', { a: { b: undefined, c: () => padding }, padding }],
  ])('%s is written as by JSON.stringify', async (_, value) => {
    expect(await stringifyJson(value)).toBe(JSON.stringify(value));
  });
});

test('the event loop runs between the pieces of a large value', async () => {
  let turns = 0;
  const turn = (): void => {
    turns++;
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  await stringifyJson([padding]);
  clearImmediate(next);
  expect(turns).toBeGreaterThanOrEqual(2);
});
