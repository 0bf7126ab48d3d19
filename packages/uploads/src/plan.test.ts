import * as limits from '@modelwire/schema';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PART_MAX_BYTES, planParts, partRange, UPLOAD_MAX_BYTES, UPLOAD_MAX_PARTS } from './plan.ts';

test('the limits are those of the API', () => {
  expect(PART_MAX_BYTES).toBe(limits.UPLOAD_PART_MAX_BYTES);
  expect(UPLOAD_MAX_BYTES).toBe(limits.UPLOAD_MAX_BYTES);
  expect(UPLOAD_MAX_PARTS).toBe(limits.UPLOAD_MAX_PARTS);
});

test('parts cover a file of any size exactly, without an empty or too large part', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: UPLOAD_MAX_BYTES }),
      fc.integer({ min: 1, max: PART_MAX_BYTES }),
      (bytes, size) => {
        const partSize = Math.max(size, Math.ceil(bytes / UPLOAD_MAX_PARTS));
        const plan = planParts(bytes, partSize);
        const ranges = Array.from({ length: plan.parts }, (_, index) => partRange(plan, index));
        const wrong = ranges.filter(({ start, end }, index) => {
          return start !== (ranges[index - 1]?.end ?? 0) || end <= start || end - start > partSize;
        });
        expect(wrong).toEqual([]);
        expect(ranges.at(-1)?.end ?? 0).toBe(bytes);
      },
    ),
  );
});

test.each([
  [-1, undefined, 'file'],
  [1.5, undefined, 'file'],
  [UPLOAD_MAX_BYTES + 1, undefined, 'file'],
  [10, 0, 'partSize'],
  [10, PART_MAX_BYTES + 1, 'partSize'],
  [UPLOAD_MAX_PARTS + 1, 1, 'partSize'],
])('rejects %d bytes in parts of %s, naming %s', (bytes, partSize, param) => {
  expect(() => planParts(bytes, partSize)).toThrow(expect.objectContaining({ name: 'InputError', param }));
});

test('8 GB have parts of 16 MiB by default', () => {
  expect(planParts(UPLOAD_MAX_BYTES)).toMatchObject({ partSize: 16 * 1024 ** 2, parts: 512 });
});
