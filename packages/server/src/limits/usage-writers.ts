import type { Clock, DailyKey, KeyStore, Principal, RequestStats, UsageIncrement } from '@modelwire/ports';
import { addCounts, toCount } from '@modelwire/adapter-kit';
import type { CompletionUsage } from '@modelwire/schema/types';
import { nowInSeconds } from '../clock.ts';
import { createBufferedWriter } from './buffered-writer.ts';
import type { BufferedWriter } from './buffered-writer.ts';

/** IDs of projects and keys have no line breaks; the name of a model may contain any character, so it is last. */
const dailyKey = ({ day, project, keyId, model }: DailyKey): string => `${day}\n${project}\n${keyId}\n${model}`;

interface DailyWriterOptions<Entry> {
  readonly store: { add(entries: readonly Entry[]): Promise<void> };
  /** Called when a write failed; its counts are written with the next. */
  readonly onError: (error: unknown) => void;
  /** Called for counts that are given up, because they cannot be written. Default: `onError`. */
  readonly onDrop?: ((counts: Entry, error: unknown) => void) | undefined;
  readonly clock: Pick<Clock, 'now'>;
}

const dayMs = 86_400_000;

/** Collects counts by day, project, key and model, and writes them every second. `today()` is the current day in Unix seconds, UTC. */
function createDailyWriter<Entry extends DailyKey>({
  store,
  merge,
  onError,
  onDrop,
  clock,
}: DailyWriterOptions<Entry> & { readonly merge: (existing: Entry, added: Entry) => Entry }): BufferedWriter<Entry> & {
  today(): number;
} {
  const writer = createBufferedWriter<Entry>({
    keyOf: dailyKey,
    merge,
    write: (entries) => store.add(entries),
    intervalMs: 1000,
    onError,
    onDrop,
  });
  return { ...writer, today: () => Math.floor(clock.now() / dayMs) * (dayMs / 1000) };
}

/** Counts usage and writes it to the store every second: a crash loses at most what was used since. */
export interface UsageMeter {
  /** @param cost In millionths of the currency. */
  count(principal: Principal, model: string, usage: CompletionUsage | undefined, cost: number): void;
  /** Writes pending usage. */
  flush(): Promise<void>;
}

/** The meter of a server without stores. */
export const noUsageMeter: UsageMeter = { count: () => undefined, flush: () => Promise.resolve() };

export function createUsageMeter(options: DailyWriterOptions<UsageIncrement>): UsageMeter {
  const writer = createDailyWriter<UsageIncrement>({
    ...options,
    merge: (existing, added) => ({
      ...existing,
      requests: addCounts(existing.requests, added.requests),
      inputTokens: addCounts(existing.inputTokens, added.inputTokens),
      outputTokens: addCounts(existing.outputTokens, added.outputTokens),
      cachedTokens: addCounts(existing.cachedTokens, added.cachedTokens),
      costMicros: addCounts(existing.costMicros, added.costMicros),
    }),
  });
  return {
    count({ project, keyId }, model, usage, cost) {
      writer.add({
        day: writer.today(),
        project,
        keyId,
        model,
        requests: 1,
        inputTokens: toCount(usage?.prompt_tokens ?? 0),
        outputTokens: toCount(usage?.completion_tokens ?? 0),
        cachedTokens: toCount(usage?.prompt_tokens_details?.cached_tokens ?? 0),
        costMicros: toCount(cost),
      });
    },
    flush: writer.flush,
  };
}

/** How a request ended. */
interface RequestOutcome {
  readonly project: string;
  readonly keyId: string;
  /** Empty where the request named no model of the server. */
  readonly model: string;
  readonly isError: boolean;
  readonly durationMs: number;
}

/** Counts outcomes of requests and writes them to the store every second: a crash loses at most those since. */
export interface RequestCounter {
  count(outcome: RequestOutcome): void;
  /** Writes pending counts. */
  flush(): Promise<void>;
}

/** The counter of a server whose stores do not record requests. */
export const noRequestCounter: RequestCounter = { count: () => undefined, flush: () => Promise.resolve() };

export function createRequestCounter(options: DailyWriterOptions<RequestStats>): RequestCounter {
  const writer = createDailyWriter<RequestStats>({
    ...options,
    merge: (existing, added) => ({
      ...existing,
      requests: addCounts(existing.requests, added.requests),
      errors: addCounts(existing.errors, added.errors),
      durationMs: addCounts(existing.durationMs, added.durationMs),
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

/** Records when keys are used, at most once a minute for each key. */
export interface KeyUse {
  record(keyId: string): void;
  /** Writes pending uses. */
  flush(): Promise<void>;
}

/** The record of a server without stores. */
export const noKeyUse: KeyUse = { record: () => undefined, flush: () => Promise.resolve() };

interface KeyUseOptions {
  readonly store: KeyStore;
  /** Called when a write failed; its uses are written with the next. */
  readonly onError: (error: unknown) => void;
  readonly clock: Pick<Clock, 'now'>;
}

export function createKeyUse({ store, onError, clock }: KeyUseOptions): KeyUse {
  const writer = createBufferedWriter<KeyUseEntry>({
    keyOf: ({ id }) => id,
    merge: (existing, added) => (existing.at >= added.at ? existing : added),
    write: (uses) => store.recordUse(uses),
    intervalMs: 60_000,
    onError,
    keepsProcessAlive: false,
  });
  return {
    record: (id) => writer.add({ id, at: nowInSeconds(clock) }),
    flush: writer.flush,
  };
}

interface KeyUseEntry {
  readonly id: string;
  /** Unix seconds. */
  readonly at: number;
}
