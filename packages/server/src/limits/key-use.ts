import type { KeyStore } from '@modelwire/ports';
import { createBufferedWriter } from './buffered-writer.ts';

/** Records when keys are used, at most once a minute for each key. */
export interface KeyUse {
  record(keyId: string): void;
  /** Writes pending uses. */
  flush(): Promise<void>;
}

export interface KeyUseOptions {
  readonly store: KeyStore;
  /** Called when a write failed; its uses are written with the next. */
  readonly onError: (error: unknown) => void;
  /** Milliseconds between writes. Default a minute. */
  readonly intervalMs?: number;
  /** Unix milliseconds; for tests. Default: the clock. */
  readonly now?: () => number;
}

export function createKeyUse({ store, onError, intervalMs = 60_000, now = Date.now }: KeyUseOptions): KeyUse {
  const writer = createBufferedWriter<KeyUseEntry>({
    keyOf: ({ id }) => id,
    merge: (existing, added) => (existing.at >= added.at ? existing : added),
    write: (uses) => store.recordUse(uses),
    intervalMs,
    onError,
    keepsProcessAlive: false,
  });
  return {
    record: (id) => writer.add({ id, at: Math.floor(now() / 1000) }),
    flush: writer.flush,
  };
}

interface KeyUseEntry {
  readonly id: string;
  /** Unix seconds. */
  readonly at: number;
}
