import { describe } from 'vitest';
import { describeFailures } from './failures.ts';
import { describeKeeping } from './keeping.ts';
import type { BlobsUnderTest } from './opened.ts';
import { describeRanges } from './ranges.ts';
import { describeReopening } from './reopening.ts';
import { describeSizes } from './sizes.ts';

/** The contract of `Blobs` as vitest tests. Every implementation passes all of them. */
export function describeBlobs(name: string, open: () => Promise<BlobsUnderTest>): void {
  describe(name, () => {
    describeKeeping(open);
    describeSizes(open);
    describeRanges(open);
    describeFailures(open);
    describeReopening(open);
  });
}
