import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BodyEnds } from './usage-reader.ts';

/** What is read of a body that arrives in chunks of a size. */
function usageIn(body: string, chunkBytes = Infinity): unknown {
  const bytes = Buffer.from(body);
  const ends = new BodyEnds();
  const size = Math.min(chunkBytes, Math.max(1, bytes.length));
  for (let at = 0; at < bytes.length; at += size) ends.write(bytes.subarray(at, at + size));
  return ends.member('usage');
}

const usage = { total_tokens: 5, details: { cached: [{ a: 1 }] } };
const large = Array.from({ length: 20_000 }, (_, index) => ({ index, text: 'ü"' }));

test.each([
  ['that is small', { a: [1], usage }],
  ['before large members', { model: 'm', usage, data: large }],
  ['after large members', { data: large, usage }],
  ['between large members and others', { data: large, usage, model: 'm', more: { a: [{}] } }],
  ['after text that looks like it', { data: large, text: '"usage":{"total_tokens":9}}', usage }],
])('finds a member: %s', (_, body) => {
  for (const text of [JSON.stringify(body), JSON.stringify(body, null, 1)])
    for (const chunkBytes of [7, 10_000, 70_000, Infinity]) expect(usageIn(text, chunkBytes)).toEqual(usage);
});

test.each([
  ['no member', { data: large }],
  ['a member further inside', { data: [...large, { usage }], inner: { usage }, last: [{ usage }] }],
  ['a member further inside, at the beginning', { inner: { usage }, list: [{ usage }], data: large }],
  [
    'text that looks like it',
    { text: '"usage":{"total_tokens":9}}', data: large, more: 'a "usage":{"total_tokens":9}' },
  ],
  ['a member in the middle', { data: large, usage, more: large }],
  ['an array', [...large, { usage }]],
])('finds nothing: %s', (_, body) => {
  expect(usageIn(JSON.stringify(body), 1000)).toBeUndefined();
});

test('finds nothing in a body that is truncated, or is not JSON', () => {
  const text = JSON.stringify({ data: large, usage });
  expect(usageIn(text.slice(0, -1))).toBeUndefined();
  expect(usageIn(`${text}}`)).toBeUndefined();
  expect(usageIn('')).toBeUndefined();
});

test('finds what JSON.parse finds in a small body, however the bytes are split', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), fc.nat(20), (others, value, size) => {
      const text = JSON.stringify({ ...others, usage: value });
      expect(usageIn(text, size + 1)).toEqual((JSON.parse(text) as { usage: unknown }).usage);
    }),
    { numRuns: 200 },
  );
});
