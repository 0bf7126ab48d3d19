import { describe, expect, test } from 'vitest';
import { blobKey, readAndVerify, expectedBytes, generated } from './contents.ts';
import { openBlobs } from './open-blobs.ts';
import type { BlobsUnderTest } from './open-blobs.ts';

const kib = 1024;
const mib = 1024 * kib;
/** Sizes around the boundaries at which stores may split bytes. */
const boundaries = [1, 2, 64 * kib, 128 * kib, 256 * kib, mib, 5 * mib, 8 * mib, 16 * mib];
/** Far more than a store may buffer of one write, far less than the test writes. */
const memoryBound = 128 * mib;

export function describeSizes(open: () => Promise<BlobsUnderTest>): void {
  describe('bytes of any size', () => {
    const { blobs } = openBlobs(open);

    for (const boundary of boundaries) {
      test(`are unchanged at ${boundary}, one less and one more`, { timeout: 600_000 }, async () => {
        for (const bytes of [boundary - 1, boundary, boundary + 1]) {
          const key = blobKey();
          expect(await blobs().write(key, generated(bytes))).toBe(bytes);
          expect(await readAndVerify(blobs(), key)).toEqual({ bytes, isIntact: true });
          await blobs().remove([key]);
        }
      });
    }

    test('are unchanged, whatever the pieces', async () => {
      const bytes = 300_001;
      for (const pieceBytes of [1, 7, 1000, 65_537, bytes, mib]) {
        const key = blobKey();
        expect(await blobs().write(key, generated(bytes, pieceBytes))).toBe(bytes);
        expect(await readAndVerify(blobs(), key)).toEqual({ bytes, isIntact: true });
      }
    });

    test("are unchanged when they come in one piece larger than the store's own", async () => {
      const key = blobKey();
      const bytes = 20 * mib + 1;
      expect(await blobs().write(key, generated(bytes, bytes))).toBe(bytes);
      expect(await readAndVerify(blobs(), key)).toEqual({ bytes, isIntact: true });
    });

    test('can come with empty pieces in between', async () => {
      const key = blobKey();
      async function* withEmpty() {
        yield new Uint8Array();
        for await (const piece of generated(10, 3)) yield* [piece, new Uint8Array()];
      }
      expect(await blobs().write(key, withEmpty())).toBe(10);
      expect(await readAndVerify(blobs(), key)).toEqual({ bytes: 10, isIntact: true });
    });

    test('are unchanged when the source reuses the memory of its pieces', async () => {
      const key = blobKey();
      const bytes = 9 * mib;
      async function* reusing() {
        const memory = new Uint8Array(64 * kib);
        for await (const piece of generated(bytes, memory.length)) {
          memory.set(piece);
          yield memory.subarray(0, piece.length);
        }
      }
      expect(await blobs().write(key, reusing())).toBe(bytes);
      expect(await readAndVerify(blobs(), key)).toEqual({ bytes, isIntact: true });
    });

    test('can be read into memory that the reader keeps and changes', async () => {
      const key = blobKey();
      const bytes = 2 * mib;
      await blobs().write(key, generated(bytes));
      for await (const piece of blobs().read(key)) piece.fill(0);
      expect(await readAndVerify(blobs(), key)).toEqual({ bytes, isIntact: true });
    });

    test('are unchanged when they are read into memory that is reused', async () => {
      for (const bytes of [0, 1, 256 * kib, 2 * mib + 1]) {
        const key = blobKey();
        await blobs().write(key, generated(bytes));
        const copies: Uint8Array[] = [];
        for await (const piece of blobs().read(key, undefined, { reusesMemory: true }))
          copies.push(new Uint8Array(piece));
        expect(Buffer.concat(copies).equals(expectedBytes(0, bytes))).toBe(true);
      }
    });

    test('are streamed: writing and reading 256 MiB takes far less memory', { timeout: 600_000 }, async () => {
      const key = blobKey();
      const bytes = 256 * mib;
      const before = process.memoryUsage.rss();
      let peak = before;
      const sample = () => (peak = Math.max(peak, process.memoryUsage.rss()));
      async function* sampled(pieces: AsyncIterable<Uint8Array>) {
        for await (const piece of pieces) {
          sample();
          yield piece;
        }
      }
      expect(await blobs().write(key, sampled(generated(bytes, 256 * kib)))).toBe(bytes);
      let read = 0;
      for await (const piece of sampled(blobs().read(key))) read += piece.length;
      expect(read).toBe(bytes);
      expect(peak - before).toBeLessThan(memoryBound);
      await blobs().remove([key]);
    });
  });
}
