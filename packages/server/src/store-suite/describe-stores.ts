import { describe } from 'vitest';
import { describeCompletions } from './completions.ts';
import { describeCompletionPages } from './completion-pages.ts';
import { describeExpiry } from './expiry.ts';
import { describeIdempotency } from './idempotency.ts';
import { describeKeys } from './keys.ts';
import { describeMetadata } from './metadata.ts';
import { describeReopening } from './reopening.ts';
import type { StoresUnderTest } from './opened.ts';
import { describeUsage } from './usage.ts';

/** Says, as vitest tests, what the ports of the server kit promise. Every store passes all of them. */
export function describeStores(name: string, open: () => Promise<StoresUnderTest>): void {
  describe(name, () => {
    describeCompletions(open);
    describeCompletionPages(open);
    describeMetadata(open);
    describeKeys(open);
    describeUsage(open);
    describeIdempotency(open);
    describeExpiry(open);
    describeReopening(open);
  });
}
