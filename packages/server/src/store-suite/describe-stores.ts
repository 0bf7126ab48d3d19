import { describe } from 'vitest';
import type { Stores } from '../ports/stores.ts';
import { describeCompletions } from './completions.ts';
import { describeCompletionPages } from './completion-pages.ts';
import { describeExpiry } from './expiry.ts';
import { describeIdempotency } from './idempotency.ts';
import { describeKeys } from './keys.ts';
import { describeMetadata } from './metadata.ts';
import { describeReopening } from './reopening.ts';
import { describeUsage } from './usage.ts';

/** A store that was opened empty for some tests. */
export interface StoresUnderTest {
  readonly stores: Stores;
  /** Closes the stores and opens what they left, as after a restart. */
  reopen(): Promise<Stores>;
  /** Called once at the end, with `stores` open or, after `reopen`, those it gave. Closes them and removes what they kept. */
  discard(): Promise<void>;
}

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
