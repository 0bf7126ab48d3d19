import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { blobKey, collected } from '@modelwire/ports/suites/blobs';
import { openFsBlobs } from './fs-blobs.ts';
import { testFolder } from './testing/folder.ts';

const contents = fc.array(fc.uint8Array({ maxLength: 100_000, size: 'max' }), { maxLength: 12 }).chain((pieces) => {
  const place = fc.nat({ max: pieces.reduce((sum, piece) => sum + piece.length, 0) });
  return fc.record({ pieces: fc.constant(pieces), places: fc.array(fc.tuple(place, place), { minLength: 1 }) });
});

test('any range of any bytes, written in any pieces, equals the slice of them', { timeout: 600_000 }, async () => {
  const blobs = await openFsBlobs({ path: await testFolder() });
  const property = fc.asyncProperty(contents, async ({ pieces, places }) => {
    const key = blobKey();
    const all = Buffer.concat(pieces);
    expect(await blobs.write(key, new Blob(pieces).stream())).toBe(all.length);
    for (const [one, other] of places) {
      const [start, end] = [Math.min(one, other), Math.max(one, other)];
      expect(all.subarray(start, end).equals(await collected(blobs.read(key, { start, end })))).toBe(true);
    }
    await blobs.remove([key]);
  });
  await fc.assert(property, { numRuns: 60 });
  await blobs.close();
});
