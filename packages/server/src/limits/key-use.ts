import type { KeyStore } from '@modelwire/ports';
import { createBufferedWriter } from './buffered-writer.ts';

/** Records when keys are used, at most once a minute for each key. */
export interface KeyUse {
  note(keyId: string): void;
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
  const writer = createBufferedWriter<KeyUsed>({
    keyOf: ({ id }) => id,
    merge: (known, added) => (known.at >= added.at ? known : added),
    write: (uses) => store.recordUse(uses),
    intervalMs,
    onError,
    keepsProcessAlive: false,
  });
  return {
    note: (id) => writer.add({ id, at: Math.floor(now() / 1000) }),
    flush: writer.flush,
  };
}

interface KeyUsed {
  readonly id: string;
  /** Unix seconds. */
  readonly at: number;
}
