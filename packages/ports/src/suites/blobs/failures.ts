import { describe, expect, test } from 'vitest';
import type { Blobs } from '../../blobs.ts';
import { BlobMissingError } from '../../blobs.ts';
import { blobKey, readAndVerify, collected, expectedBytes, generated } from './contents.ts';
import { openBlobs } from './open-blobs.ts';
import type { BlobsUnderTest } from './open-blobs.ts';

const pieceBytes = 64 * 1024;

/** A source that records how it is used. After `pieces` pieces it fails or never resolves. */
function source(pieces: number, atEnd: { readonly fail: Error } | 'wait', onEnd?: () => void) {
  const calls = { readPieces: 0, returned: 0 };
  const bytes: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({
      next() {
        if (calls.readPieces < pieces)
          return Promise.resolve({ done: false, value: expectedBytes(0, pieceBytes + calls.readPieces++) });
        onEnd?.();
        return atEnd === 'wait' ? new Promise(() => undefined) : Promise.reject(atEnd.fail);
      },
      return() {
        calls.returned++;
        return Promise.resolve({ done: true, value: undefined });
      },
    }),
  };
  return { bytes, calls };
}

const expectMissing = (blobs: Blobs, key: string) =>
  expect(collected(blobs.read(key))).rejects.toThrow(BlobMissingError);

export function describeFailures(open: () => Promise<BlobsUnderTest>): void {
  describe('a write that fails', () => {
    const { blobs, underTest } = openBlobs(open);
    const expectNothingUnfinished = async () =>
      expect(await underTest().unfinished?.()).toBe(underTest().unfinished ? 0 : undefined);

    // With 400 pieces, some of the bytes have been sent or written already.
    for (const pieces of [0, 1, 10, 400]) {
      test(`because its source throws after ${pieces} pieces leaves nothing and rejects with that error`, async () => {
        const key = blobKey();
        const fail = new Error('the sender disconnected');
        await expect(blobs().write(key, source(pieces, { fail }).bytes)).rejects.toBe(fail);
        await expectMissing(blobs(), key);
        await expectNothingUnfinished();
        expect(await blobs().write(key, generated(100))).toBe(100);
        expect(await readAndVerify(blobs(), key)).toEqual({ bytes: 100, isIntact: true });
      });

      test(`because it is aborted after ${pieces} pieces leaves nothing and closes the source`, async () => {
        const key = blobKey();
        const controller = new AbortController();
        const reason = new Error('enough');
        const { bytes, calls } = source(pieces, 'wait', () => setImmediate(() => controller.abort(reason)));
        await expect(blobs().write(key, bytes, { signal: controller.signal })).rejects.toBe(reason);
        expect(calls).toEqual({ readPieces: pieces, returned: 1 });
        await expectMissing(blobs(), key);
        await expectNothingUnfinished();
      });
    }

    test('because it was aborted before it started reads nothing', async () => {
      const key = blobKey();
      const { bytes, calls } = source(5, 'wait');
      const signal = AbortSignal.abort();
      await expect(blobs().write(key, bytes, { signal })).rejects.toMatchObject({ name: 'AbortError' });
      expect(calls.readPieces).toBe(0);
      await expectMissing(blobs(), key);
    });

    test('because it is aborted at a random time leaves nothing or everything', { timeout: 600_000 }, async () => {
      for (let delay = 0; delay < 24; delay += 2) {
        const key = blobKey();
        const total = 12 * 1024 * 1024;
        const controller = new AbortController();
        const timer = setTimeout(() => controller.abort(), delay);
        const written = blobs().write(key, generated(total, 512 * 1024), { signal: controller.signal });
        const outcome = await written.catch(() => 'failed' as const);
        clearTimeout(timer);
        if (outcome === 'failed') await expectMissing(blobs(), key);
        else expect(await readAndVerify(blobs(), key)).toEqual({ bytes: outcome, isIntact: true });
        await blobs().remove([key]);
      }
      await expectNothingUnfinished();
    });

    test('is not readable before it completes', async () => {
      const key = blobKey();
      async function* slowly() {
        for await (const piece of generated(20 * 1024 * 1024, 1024 * 1024)) {
          await expectMissing(blobs(), key);
          yield piece;
        }
      }
      await blobs().write(key, slowly());
      expect(await readAndVerify(blobs(), key)).toEqual({ bytes: 20 * 1024 * 1024, isIntact: true });
    });

    test('does not affect other writes', async () => {
      const keys = Array.from({ length: 8 }, blobKey);
      const fail = new Error('one of two');
      const outcomes = await Promise.allSettled(
        keys.map((key, index) =>
          blobs().write(key, index % 2 === 0 ? generated(2_000_000) : source(20, { fail }).bytes),
        ),
      );
      expect(outcomes.map(({ status }) => status)).toEqual(
        keys.map((_, index) => (index % 2 === 0 ? 'fulfilled' : 'rejected')),
      );
      for (const [index, key] of keys.entries()) {
        if (index % 2 === 0) expect(await readAndVerify(blobs(), key)).toEqual({ bytes: 2_000_000, isIntact: true });
        else await expectMissing(blobs(), key);
      }
      await expectNothingUnfinished();
    });
  });

  describe('the source of a write', () => {
    const { blobs } = openBlobs(open);

    test('is read one piece at a time, and not after the last', async () => {
      let pendingReads = 0;
      let maxPendingReads = 0;
      let ended = 0;
      const pieces = generated(30 * 1024 * 1024, 256 * 1024);
      const counted: AsyncIterable<Uint8Array> = {
        [Symbol.asyncIterator]: () => ({
          async next() {
            maxPendingReads = Math.max(maxPendingReads, ++pendingReads);
            const next = await pieces.next();
            pendingReads--;
            if (next.done === true) ended++;
            return next;
          },
        }),
      };
      await blobs().write(blobKey(), counted);
      expect({ maxPendingReads, ended }).toEqual({ maxPendingReads: 1, ended: 1 });
    });
  });
}
