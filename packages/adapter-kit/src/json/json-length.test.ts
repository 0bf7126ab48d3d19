import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonLength } from './json-length.ts';

const letters = fc.stringMatching(/^[a-z ]*$/);

test('the length is at least that of the JSON, and not much more for long texts', () => {
  fc.assert(
    fc.property(fc.object({ key: letters, values: [letters, fc.double({ noNaN: true }), fc.boolean()] }), (value) => {
      expect(jsonLength(value)).toBeGreaterThanOrEqual(JSON.stringify(value).length);
    }),
  );
  expect(jsonLength({ a: ['b'.repeat(1000)] })).toBeLessThan(1200);
});

test('nesting of any depth, raw numbers and big integers have a length', () => {
  let value: unknown = 5n;
  for (let depth = 0; depth < 100_000; depth++) value = [value];
  expect(jsonLength(value)).toBeGreaterThan(200_000);
});
