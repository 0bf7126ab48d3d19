import { describe, expect, test } from 'vitest';
import { blobKey, readAndVerify, collected, generated } from './contents.ts';
import { openBlobs } from './open-blobs.ts';
import type { BlobsUnderTest } from './open-blobs.ts';

export function describeReopening(open: () => Promise<BlobsUnderTest>): void {
  describe('closed blobs', () => {
    const { blobs, reopen } = openBlobs(open);

    test('say whether they are empty, without what a check left behind', async () => {
      const isEmpty = blobs().isEmpty?.bind(blobs());
      if (!isEmpty) return;
      expect(await isEmpty()).toBe(true);
      await blobs().write('blob_probe1', generated(1));
      expect(await isEmpty()).toBe(true);
      const key = blobKey();
      await blobs().write(key, generated(0));
      expect(await isEmpty()).toBe(false);
      await blobs().remove([key]);
      expect(await isEmpty()).toBe(true);
    });

    test('contain everything after they are reopened, including writes in progress', async () => {
      const [empty, small, last] = [blobKey(), blobKey(), blobKey()];
      await blobs().write(empty, generated(0));
      await blobs().write(small, generated(1000));
      const writing = blobs().write(last, generated(3_000_000));
      await Promise.all([reopen(), writing]);
      expect(await readAndVerify(blobs(), empty)).toEqual({ bytes: 0, isIntact: true });
      expect(await readAndVerify(blobs(), small)).toEqual({ bytes: 1000, isIntact: true });
      expect(await readAndVerify(blobs(), last)).toEqual({ bytes: 3_000_000, isIntact: true });
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
      expect(await readAndVerify(blobs(), key)).toEqual({ bytes: 10, isIntact: true });
    });
  });
}
