import { describe, expect, test } from 'vitest';
import { blobKey, checked, collected, generated } from './contents.ts';
import { opened } from './opened.ts';
import type { BlobsUnderTest } from './opened.ts';

export function describeReopening(open: () => Promise<BlobsUnderTest>): void {
  describe('closed blobs', () => {
    const { blobs, reopen } = opened(open);

    test('contain everything after they are reopened, including writes in progress', async () => {
      const [empty, small, last] = [blobKey(), blobKey(), blobKey()];
      await blobs().write(empty, generated(0));
      await blobs().write(small, generated(1000));
      const writing = blobs().write(last, generated(3_000_000));
      await Promise.all([reopen(), writing]);
      expect(await checked(blobs(), empty)).toEqual({ bytes: 0, right: true });
      expect(await checked(blobs(), small)).toEqual({ bytes: 1000, right: true });
      expect(await checked(blobs(), last)).toEqual({ bytes: 3_000_000, right: true });
    });

    test('reject further operations, and can be closed twice', async () => {
      const before = blobs();
      const key = blobKey();
      await before.write(key, generated(10));
      await reopen();
      await before.close();
      await expect(before.write(blobKey(), generated(1))).rejects.toThrow('closed');
      await expect(collected(before.read(key))).rejects.toThrow('closed');
      await expect(before.remove([key])).rejects.toThrow('closed');
      await expect(before.check()).rejects.toThrow('closed');
      expect(await checked(blobs(), key)).toEqual({ bytes: 10, right: true });
    });
  });
}
