import type { RequestStats } from '@modelwire/ports';
import { createDailyWriter } from './daily-writer.ts';
import type { DailyWriterOptions } from './daily-writer.ts';

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

export function createRequestCounter(options: DailyWriterOptions<RequestStats>): RequestCounter {
  const writer = createDailyWriter<RequestStats>({
    ...options,
    merge: (existing, added) => ({
      ...existing,
      requests: existing.requests + added.requests,
      errors: existing.errors + added.errors,
      durationMs: existing.durationMs + added.durationMs,
    }),
  });
  return {
    count({ project, keyId, model, isError, durationMs }) {
      const day = writer.today();
      writer.add({ day, project, keyId, model, requests: 1, errors: isError ? 1 : 0, durationMs });
    },
    flush: writer.flush,
  };
}
