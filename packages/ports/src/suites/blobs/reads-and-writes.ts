import { readdir } from 'node:fs/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { BlobMissingError } from '../../blobs.ts';
import { blobKey, readAndVerify, collected, expectedBytes, generated } from './contents.ts';
import { openBlobs } from './open-blobs.ts';
import type { BlobsUnderTest } from './open-blobs.ts';

const invalidKeys = [
  '',
  '.',
  '..',
  '../x',
  '../../etc/passwd',
  'a/b',
  '/etc/passwd',
  'blob_',
  'blob_a/b',
  'blob_../x',
  'blob_a\0',
  'blob_a\n',
  'blob_A',
  'blob_a b',
  'blob_ä',
  'blob_%2e%2e',
  'blob_a?uploads',
  'blob_a.tmp',
  '\0',
  `blob_${'a'.repeat(300)}`,
];

/** Open files and sockets of this process, on systems that report them (Linux). */
const countOpenDescriptors = async () => (await readdir('/proc/self/fd').catch(() => [])).length;

/** The client of a remote store pools some connections; leaking one with each read would exceed this. */
const maxPooledConnections = 12;

export function describeReadsAndWrites(open: () => Promise<BlobsUnderTest>): void {
  describe('bytes under a key', () => {
    const { blobs, underTest } = openBlobs(open);

    test('do not exist before they are written and after they are removed', async () => {
      const key = blobKey();
      const missing = expect.objectContaining({ name: 'BlobMissingError', key }) as BlobMissingError;
      await expect(collected(blobs().read(key))).rejects.toEqual(missing);
      await blobs().write(key, generated(10));
      expect(await collected(blobs().read(key))).toEqual(expectedBytes(0, 10));
      await blobs().remove([key]);
      await expect(collected(blobs().read(key))).rejects.toThrow(BlobMissingError);
    });

    test('are removed even when some of the keys do not exist', async () => {
      const first = blobKey();
      const keys = [first, blobKey(), blobKey()];
      for (const key of keys) await blobs().write(key, generated(5));
      await blobs().remove([first, blobKey()]);
      await blobs().remove([blobKey(), ...keys, ...keys]);
      await blobs().remove([]);
      for (const key of keys) await expect(collected(blobs().read(key))).rejects.toThrow(BlobMissingError);
    });

    test('are separate when many are written concurrently', async () => {
      const keys = Array.from({ length: 20 }, blobKey);
      const sizes = await Promise.all(keys.map((key, index) => blobs().write(key, generated(index * 50_000 + 1, 999))));
      expect(sizes).toEqual(keys.map((_, index) => index * 50_000 + 1));
      for (const [index, key] of keys.entries()) {
        expect(await readAndVerify(blobs(), key)).toEqual({ bytes: sizes[index], isIntact: true });
      }
    });

    test('are not overwritten by a second write', async () => {
      const key = blobKey();
      await blobs().write(key, generated(1000));
      const secondWrite = blobs().write(key, generated(10 * 1024 * 1024));
      if (underTest().refusesTakenKeys) {
        await expect(secondWrite).rejects.toThrow(key);
        expect(await readAndVerify(blobs(), key)).toEqual({ bytes: 1000, isIntact: true });
      } else {
        await secondWrite;
        expect(await readAndVerify(blobs(), key)).toEqual({ bytes: 10 * 1024 * 1024, isIntact: true });
      }
    });

    test('are those of one write when two write the same key concurrently', async () => {
      const key = blobKey();
      const sizes = [200_000, 300_000];
      const outcomes = await Promise.allSettled(sizes.map((bytes) => blobs().write(key, generated(bytes, 1000))));
      const storedSizes = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
      if (underTest().refusesTakenKeys) expect(storedSizes).toHaveLength(1);
      const { bytes, isIntact } = await readAndVerify(blobs(), key);
      expect(isIntact).toBe(true);
      expect(storedSizes).toContain(bytes);
    });

    test('can be read concurrently', async () => {
      const key = blobKey();
      const bytes = 700_000;
      await blobs().write(key, generated(bytes));
      const reads = await Promise.all(Array.from({ length: 20 }, () => readAndVerify(blobs(), key)));
      expect(reads).toEqual(Array.from({ length: 20 }, () => ({ bytes, isIntact: true })));
    });

    test('can be read in part; ending the iteration early releases all resources', async () => {
      const key = blobKey();
      await blobs().write(key, generated(3 * 1024 * 1024));
      const readPartially = async () => {
        for await (const piece of blobs().read(key)) if (piece.length > 0) break;
      };
      // Node closes an unreferenced file at garbage collection, and emits a warning.
      const warnings: string[] = [];
      const onWarning = (warning: Error) => warnings.push(warning.message);
      process.on('warning', onWarning);
      onTestFinished(() => void process.off('warning', onWarning));
      await readPartially();
      const before = await countOpenDescriptors();
      for (let time = 0; time < 60; time++) await readPartially();
      await Promise.all(Array.from({ length: 10 }, readPartially));
      // Never iterated: nothing was opened.
      for (let time = 0; time < 60; time++) blobs().read(key);
      await expect.poll(countOpenDescriptors).toBeLessThanOrEqual(before + maxPooledConnections);
      expect(warnings).toEqual([]);
      expect(await readAndVerify(blobs(), key)).toEqual({ bytes: 3 * 1024 * 1024, isIntact: true });
    });

    test('require a key of the documented form; every method rejects other keys', async () => {
      for (const key of invalidKeys) {
        await expect(blobs().write(key, generated(1))).rejects.toThrow(TypeError);
        await expect(collected(blobs().read(key))).rejects.toThrow(TypeError);
        await expect(blobs().remove([blobKey(), key])).rejects.toThrow(TypeError);
      }
    });

    test('check() succeeds for a writable store and leaves nothing', async () => {
      await blobs().check();
      await Promise.all([blobs().check(), blobs().check()]);
      expect(await underTest().unfinished?.()).toBe(underTest().unfinished ? 0 : undefined);
    });
  });
}
