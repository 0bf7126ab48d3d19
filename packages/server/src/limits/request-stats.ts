import type { RequestStats, RequestStatsStore } from '@modelwire/ports';

/** How a request ended. */
export interface RequestOutcome {
  readonly project: string;
  readonly keyId: string;
  /** Empty where the request named no model of the server. */
  readonly model: string;
  readonly isError: boolean;
  readonly durationMs: number;
}

/** Counts outcomes of requests, and writes them to the store now and then: a crash loses at most `intervalMs` of them. */
export interface RequestCounter {
  count(outcome: RequestOutcome): void;
  /** Writes what is not written yet. */
  flush(): Promise<void>;
}

export interface RequestCounterOptions {
  readonly store: RequestStatsStore;
  /** Default 1000. */
  readonly intervalMs?: number;
  /** Called when a write failed; its counts are written with the next. */
  readonly onError: (error: unknown) => void;
  /** Unix milliseconds; for tests. Default: the clock. */
  readonly now?: () => number;
}

const dayMs = 86_400_000;

export function createRequestCounter({
  store,
  intervalMs = 1000,
  onError,
  now = Date.now,
}: RequestCounterOptions): RequestCounter {
  let pending = new Map<string, RequestStats>();
  let writing: Promise<void> = Promise.resolve();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function add(stats: RequestStats): void {
    const { day, project, keyId, model, requests, errors, durationMs } = stats;
    const name = JSON.stringify([day, project, keyId, model]);
    const known = pending.get(name);
    pending.set(name, {
      ...stats,
      requests: (known?.requests ?? 0) + requests,
      errors: (known?.errors ?? 0) + errors,
      durationMs: (known?.durationMs ?? 0) + durationMs,
    });
  }
  async function write(): Promise<void> {
    if (pending.size === 0) return;
    const stats = [...pending.values()];
    pending = new Map();
    try {
      await store.add(stats);
    } catch (error) {
      for (const one of stats) add(one);
      onError(error);
    }
  }
  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    // One write at a time, so that the counts of a failed one are back before the next begins.
    return (writing = writing.then(write));
  }
  return {
    count({ isError, ...outcome }) {
      const day = Math.floor(now() / dayMs) * (dayMs / 1000);
      add({ ...outcome, day, requests: 1, errors: Number(isError) });
      timer ??= setTimeout(() => void flush(), intervalMs);
    },
    flush,
  };
}
