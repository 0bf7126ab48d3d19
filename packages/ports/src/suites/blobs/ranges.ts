import { beforeAll, describe, expect, test } from 'vitest';
import { BlobMissingError } from '../../blobs.ts';
import { blobKey, readAndVerify, collected, expectedBytes, generated } from './contents.ts';
import { openBlobs } from './open-blobs.ts';
import type { BlobsUnderTest } from './open-blobs.ts';

export function describeRanges(open: () => Promise<BlobsUnderTest>): void {
  describe('a range', () => {
    const { blobs } = openBlobs(open);
    const bytes = 9 * 1024 * 1024 + 17;
    const key = blobKey();
    const empty = blobKey();
    beforeAll(async () => {
      await blobs().write(key, generated(bytes));
      await blobs().write(empty, generated(0));
    });

    test('returns the first byte, the last byte, a part of the middle, and all', async () => {
      const ranges = [
        [0, 1],
        [bytes - 1, bytes],
        [1000, 1010],
        [4_000_000, 4_000_001],
        [0, bytes],
        [1, bytes - 1],
      ] as const;
      for (const [start, end] of ranges) {
        expect(await readAndVerify(blobs(), key, { start, end })).toEqual({ bytes: end - start, isIntact: true });
      }
    });

    test('returns bytes across piece boundaries', async () => {
      for (const boundary of [64 * 1024, 128 * 1024, 256 * 1024, 1024 * 1024, 5 * 1024 * 1024, 8 * 1024 * 1024]) {
        const range = { start: boundary - 3, end: boundary + 4 };
        expect(await collected(blobs().read(key, range))).toEqual(expectedBytes(range.start, range.end));
      }
    });

    test('can be empty', async () => {
      for (const position of [0, 1, 5000, bytes]) {
        expect(await collected(blobs().read(key, { start: position, end: position }))).toHaveLength(0);
      }
      expect(await collected(blobs().read(empty, { start: 0, end: 0 }))).toHaveLength(0);
    });

    test('of missing bytes is rejected with the same error, even when it is empty', async () => {
      for (const range of [
        { start: 0, end: 1 },
        { start: 0, end: 0 },
      ]) {
        await expect(collected(blobs().read(blobKey(), range))).rejects.toThrow(BlobMissingError);
      }
    });

    test('beyond the end is rejected, not shortened', async () => {
      for (const range of [
        { start: bytes - 5, end: bytes + 1 },
        { start: bytes, end: bytes + 1 },
        { start: bytes + 10, end: bytes + 20 },
      ]) {
        await expect(collected(blobs().read(key, range))).rejects.toThrow();
      }
    });

    test('that is invalid is rejected', async () => {
      for (const [start, end] of [
        [-1, 5],
        [5, 4],
        [0.5, 2],
        [0, Number.NaN],
        [0, Infinity],
      ] as const) {
        await expect(collected(blobs().read(key, { start, end }))).rejects.toThrow(RangeError);
      }
    });
  });
}
