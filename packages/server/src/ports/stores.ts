import type { CompletionStore } from './completion-store.ts';
import type { IdempotencyStore } from './idempotency-store.ts';
import type { KeyStore } from './key-store.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { UsageStore } from './usage-store.ts';

/** Everything that belongs to one project. There is no other way to it: a handler cannot forget whose it is. */
export interface ProjectStores {
  readonly completions: CompletionStore;
  readonly idempotency: IdempotencyStore;
}

/** Where a server keeps what has to outlast it. One shared suite of tests says what must hold (`@modelwire/server/store-suite`). */
export interface Stores {
  project(id: string): ProjectStores;
  readonly keys: KeyStore;
  readonly usage: UsageStore;
  /** Limits that hold over all replicas, for stores that several share. Left out where memory is as good. */
  readonly rateLimiter?: RateLimiter | undefined;
  /** Removes completions created before `completionsBefore` (Unix seconds) and idempotency keys that expired by `now` (Unix milliseconds), at most `limit` of each. Gives how many. */
  removeExpired(init: {
    readonly completionsBefore: number | undefined;
    readonly now: number;
    readonly limit: number;
  }): Promise<number>;
  /** Resolves when it can be written to. */
  check(): Promise<void>;
  close(): Promise<void>;
}
