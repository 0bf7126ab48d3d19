import type { KeyStore } from '@modelwire/ports';

/** Records when keys are used, at most once a minute for each key. */
export interface KeyUse {
  note(keyId: string): void;
  /** Writes what is not written yet. */
  flush(): Promise<void>;
}

export interface KeyUseOptions {
  readonly store: KeyStore;
  /** Told when a write failed; what it held is written with the next. */
  readonly onError: (error: unknown) => void;
  /** Milliseconds between writes. Default a minute. */
  readonly everyMs?: number;
  /** Unix milliseconds; for tests. Default: the clock. */
  readonly now?: () => number;
}

export function createKeyUse({ store, onError, everyMs = 60_000, now = Date.now }: KeyUseOptions): KeyUse {
  let pending = new Map<string, number>();
  let writing: Promise<void> = Promise.resolve();
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function write(): Promise<void> {
    if (pending.size === 0) return;
    const uses = pending;
    pending = new Map();
    try {
      await store.recordUse([...uses].map(([id, at]) => ({ id, at })));
    } catch (error) {
      for (const [id, at] of uses) if (!pending.has(id)) pending.set(id, at);
      onError(error);
    }
  }
  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    return (writing = writing.then(write));
  }
  return {
    note(keyId) {
      pending.set(keyId, Math.floor(now() / 1000));
      if (timer) return;
      timer = setTimeout(() => void flush(), everyMs);
      // On runtimes where a timer is a number, it does not keep the process alive.
      if (typeof timer === 'object') timer.unref();
    },
    flush,
  };
}
