import * as fc from 'fast-check';
import { expect } from 'vitest';
import { blobKey, collected } from '../suites/blobs/contents.ts';
import type { Blobs } from '../blobs.ts';

const contents = fc.array(fc.uint8Array({ maxLength: 100_000, size: 'max' }), { maxLength: 12 }).chain((pieces) => {
  const position = fc.nat({ max: pieces.reduce((sum, piece) => sum + piece.length, 0) });
  return fc.record({
    pieces: fc.constant(pieces),
    positions: fc.array(fc.tuple(position, position), { minLength: 1 }),
  });
});

/** Expects that every range of the bytes, written in any pieces, equals their slice. */
export async function expectRangesToBeSlices(blobs: Blobs, numRuns: number): Promise<void> {
  const property = fc.asyncProperty(contents, async ({ pieces, positions }) => {
    const key = blobKey();
    const all = Buffer.concat(pieces);
    const written = await blobs.write(key, new Blob(pieces).stream());
    expect(written).toBe(all.length);
    for (const [one, other] of positions) {
      const [start, end] = [Math.min(one, other), Math.max(one, other)];
      const read = await collected(blobs.read(key, { start, end }));
      expect(all.subarray(start, end).equals(read), `the bytes from ${start} to ${end}`).toBe(true);
    }
    await blobs.remove([key]);
  });
  await fc.assert(property, { numRuns });
}
