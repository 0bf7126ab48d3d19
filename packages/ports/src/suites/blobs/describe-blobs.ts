import { describe } from 'vitest';
import { describeFailures } from './failures.ts';
import { describeReadsAndWrites } from './reads-and-writes.ts';
import type { BlobsUnderTest } from './open-blobs.ts';
import { describeRanges } from './ranges.ts';
import { describeReopening } from './reopening.ts';
import { describeSizes } from './sizes.ts';

/** The contract of `Blobs` as vitest tests. Every implementation passes all of them. */
export function describeBlobs(name: string, open: () => Promise<BlobsUnderTest>): void {
  describe(name, () => {
    describeReadsAndWrites(open);
    describeSizes(open);
    describeRanges(open);
    describeFailures(open);
    describeReopening(open);
  });
}
