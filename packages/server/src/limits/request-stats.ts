import type { RequestStats, RequestStatsStore } from '@modelwire/ports';
import { createBufferedWriter } from './buffered-writer.ts';

/** How a request ended. */
export interface RequestOutcome {
  readonly project: string;
  readonly keyId: string;
  /** Empty where the request named no model of the server. */
  readonly model: string;
  readonly isError: boolean;
  readonly durationMs: number;
}

/** Counts outcomes of requests and writes them to the store at intervals: a crash loses at most those of `intervalMs`. */
export interface RequestCounter {
  count(outcome: RequestOutcome): void;
  /** Writes pending counts. */
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
  const writer = createBufferedWriter<RequestStats>({
    // IDs of projects and keys have no line breaks; the name of a model may contain any character, so it is last.
    keyOf: ({ day, project, keyId, model }) => `${day}\n${project}\n${keyId}\n${model}`,
    merge: (known, added) => ({
      ...known,
      requests: known.requests + added.requests,
      errors: known.errors + added.errors,
      durationMs: known.durationMs + added.durationMs,
    }),
    write: (stats) => store.add(stats),
    intervalMs,
    onError,
  });
  return {
    count({ project, keyId, model, isError, durationMs }) {
      const day = Math.floor(now() / dayMs) * (dayMs / 1000);
      writer.add({ day, project, keyId, model, requests: 1, errors: isError ? 1 : 0, durationMs });
    },
    flush: writer.flush,
  };
}
