import { describe, expect, test } from 'vitest';
import type { Blobs } from '../../blobs.ts';
import { BlobMissingError } from '../../blobs.ts';
import { blobKey, checked, collected, contentOf, generated } from './contents.ts';
import { opened } from './opened.ts';
import type { BlobsUnderTest } from './opened.ts';

const pieceBytes = 64 * 1024;

/** A source that records how it is used. After `pieces` pieces it fails or never resolves. */
function source(pieces: number, then: { readonly fail: Error } | 'wait', reached?: () => void) {
  const seen = { taken: 0, returned: 0 };
  const bytes: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({
      next() {
        if (seen.taken < pieces)
          return Promise.resolve({ done: false, value: contentOf(0, pieceBytes + seen.taken++) });
        reached?.();
        return then === 'wait' ? new Promise(() => undefined) : Promise.reject(then.fail);
      },
      return() {
        seen.returned++;
        return Promise.resolve({ done: true, value: undefined });
      },
    }),
  };
  return { bytes, seen };
}

const nothing = (blobs: Blobs, key: string) => expect(collected(blobs.read(key))).rejects.toThrow(BlobMissingError);

export function describeFailures(open: () => Promise<BlobsUnderTest>): void {
  describe('a write that fails', () => {
    const { blobs, under } = opened(open);
    const left = async () => expect(await under().unfinished?.()).toBe(under().unfinished ? 0 : undefined);

    // With 400 pieces, some of the bytes have been sent or written already.
    for (const pieces of [0, 1, 10, 400]) {
      test(`because its source throws after ${pieces} pieces leaves nothing and rejects with that error`, async () => {
        const key = blobKey();
        const fail = new Error('the sender went away');
        await expect(blobs().write(key, source(pieces, { fail }).bytes)).rejects.toBe(fail);
        await nothing(blobs(), key);
        await left();
        expect(await blobs().write(key, generated(100))).toBe(100);
        expect(await checked(blobs(), key)).toEqual({ bytes: 100, right: true });
      });

      test(`because it is aborted after ${pieces} pieces leaves nothing and closes the source`, async () => {
        const key = blobKey();
        const aborting = new AbortController();
        const reason = new Error('enough');
        const { bytes, seen } = source(pieces, 'wait', () => setImmediate(() => aborting.abort(reason)));
        await expect(blobs().write(key, bytes, { signal: aborting.signal })).rejects.toBe(reason);
        expect(seen).toEqual({ taken: pieces, returned: 1 });
        await nothing(blobs(), key);
        await left();
      });
    }

    test('because it was aborted before it started reads nothing', async () => {
      const key = blobKey();
      const { bytes, seen } = source(5, 'wait');
      const signal = AbortSignal.abort();
      await expect(blobs().write(key, bytes, { signal })).rejects.toMatchObject({ name: 'AbortError' });
      expect(seen.taken).toBe(0);
      await nothing(blobs(), key);
    });

    test('because it is aborted at a random time leaves nothing or everything', { timeout: 600_000 }, async () => {
      for (let delay = 0; delay < 24; delay += 2) {
        const key = blobKey();
        const total = 12 * 1024 * 1024;
        const aborting = new AbortController();
        const timer = setTimeout(() => aborting.abort(), delay);
        const written = blobs().write(key, generated(total, 512 * 1024), { signal: aborting.signal });
        const outcome = await written.catch(() => 'failed' as const);
        clearTimeout(timer);
        if (outcome === 'failed') await nothing(blobs(), key);
        else expect(await checked(blobs(), key)).toEqual({ bytes: outcome, right: true });
        await blobs().remove([key]);
      }
      await left();
    });

    test('is not readable before it completes', async () => {
      const key = blobKey();
      async function* slowly() {
        for await (const piece of generated(20 * 1024 * 1024, 1024 * 1024)) {
          await nothing(blobs(), key);
          yield piece;
        }
      }
      await blobs().write(key, slowly());
      expect(await checked(blobs(), key)).toEqual({ bytes: 20 * 1024 * 1024, right: true });
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
        if (index % 2 === 0) expect(await checked(blobs(), key)).toEqual({ bytes: 2_000_000, right: true });
        else await nothing(blobs(), key);
      }
      await left();
    });
  });

  describe('the source of a write', () => {
    const { blobs } = opened(open);

    test('is read one piece at a time, and not after the last', async () => {
      let asked = 0;
      let most = 0;
      let ended = 0;
      const pieces = generated(30 * 1024 * 1024, 256 * 1024);
      const counted: AsyncIterable<Uint8Array> = {
        [Symbol.asyncIterator]: () => ({
          async next() {
            most = Math.max(most, ++asked);
            const next = await pieces.next();
            asked--;
            if (next.done === true) ended++;
            return next;
          },
        }),
      };
      await blobs().write(blobKey(), counted);
      expect({ most, ended }).toEqual({ most: 1, ended: 1 });
    });
  });
}
