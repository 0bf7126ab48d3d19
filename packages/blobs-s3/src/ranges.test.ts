import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { blobKey, collected } from '@modelwire/ports/suites/blobs';
import { openS3Blobs } from './s3-blobs.ts';
import { startS3rver } from './testing/servers.ts';

const contents = fc.array(fc.uint8Array({ maxLength: 100_000, size: 'max' }), { maxLength: 12 }).chain((pieces) => {
  const place = fc.nat({ max: pieces.reduce((sum, piece) => sum + piece.length, 0) });
  return fc.record({ pieces: fc.constant(pieces), places: fc.array(fc.tuple(place, place), { minLength: 1 }) });
});

test('any range of any bytes, written in any pieces, equals the slice of them', { timeout: 600_000 }, async () => {
  const { options, stop } = await startS3rver();
  const blobs = await openS3Blobs(options);
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
  await fc.assert(property, { numRuns: 30 });
  await blobs.close();
  await stop();
});
