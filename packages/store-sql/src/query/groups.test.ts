import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { inGroups } from './groups.ts';

test('groups contain all items in order, have few sizes, and are no more than needed', () => {
  const numbers = fc.integer({ min: 0, max: 3000 }).map((length) => Array.from({ length }, (_, index) => index));
  fc.assert(
    fc.property(numbers, (items) => {
      const groups = inGroups(items);
      expect(groups.flat()).toEqual(items);
      for (const { length } of groups) expect([1, 2, 4, 8, 16, 32, 64, 128, 256]).toContain(length);
      expect(groups.length).toBeLessThanOrEqual(Math.floor(items.length / 256) + 8);
    }),
  );
});
