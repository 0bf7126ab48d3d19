import type { Clock, DailyKey, DurationCount, Principal, RequestStats, Stores, UsageIncrement } from '@modelwire/ports';
import { toCount } from '@modelwire/adapter-kit/internal';
import type { CompletionUsage } from '@modelwire/schema/types';
import { nowInSeconds } from '../clock.ts';
import { createBufferedWriter } from './buffered-writer.ts';
import { durationRange } from './duration-counts.ts';
import { addRows } from './usage-sums.ts';

/** How a request ended. */
interface RequestOutcome {
  readonly project: string;
  readonly keyId: string;
  /** Empty where the request named no model of the server. */
  readonly model: string;
  readonly isError: boolean;
  readonly durationMs: number;
  /** Undefined if it had no token. */
  readonly firstTokenMs: number | undefined;
}

/** Counts what is used, and writes it to the stores at intervals: a crash loses what was counted since the last one. */
export interface UsageMeter {
  /** Counts the usage of a request. @param cost In millionths of the currency. */
  count(principal: Principal, model: string, usage: CompletionUsage | undefined, cost: number): void;
  /** Counts the outcome and the duration of a request. */
  countRequest(outcome: RequestOutcome): void;
  recordKeyUse(keyId: string): void;
  /** Writes what is pending. */
  flush(): Promise<void>;
}

/** The meter of a server without stores. */
export const noUsageMeter: UsageMeter = {
  count: () => undefined,
  countRequest: () => undefined,
  recordKeyUse: () => undefined,
  flush: () => Promise.resolve(),
};

interface UsageMeterInit {
  readonly stores: {
    readonly usage: Pick<Stores['usage'], 'add'>;
    readonly requestStats?: Pick<NonNullable<Stores['requestStats']>, 'add' | 'addDurations'> | undefined;
    readonly keys: Pick<Stores['keys'], 'recordUse'>;
  };
  readonly clock: Pick<Clock, 'now'>;
  readonly report: (what: string, error: unknown) => void;
}

const usageIntervalMs = 1000;
/** A key that is used is recorded once in this time. */
const keyIntervalMs = 60_000;
const secondsPerDay = 86_400;
/** IDs of projects and keys have no line breaks; the name of a model may contain any character, so it is last. */
const dailyKey = ({ day, project, keyId, model }: DailyKey): string => `${day}\n${project}\n${keyId}\n${model}`;

export function createUsageMeter({ stores, clock, report }: UsageMeterInit): UsageMeter {
  const usageWriter = createBufferedWriter<UsageIncrement>({
    keyOf: dailyKey,
    merge: addRows,
    write: (increments) => stores.usage.add(increments),
    intervalMs: usageIntervalMs,
    onError: (error) => report('usage was not written', error),
    onDrop: (increment, error) => report(`usage was given up: ${JSON.stringify(increment)}`, error),
  });
  const requestWriter = createBufferedWriter<RequestStats>({
    keyOf: dailyKey,
    merge: addRows,
    write: async (stats) => stores.requestStats?.add(stats),
    intervalMs: usageIntervalMs,
    onError: (error) => report('request statistics were not written', error),
    onDrop: ({ project, model }, error) =>
      report(`request statistics of ${JSON.stringify({ project, model })} were given up`, error),
  });
  const durationWriter = createBufferedWriter<DurationCount>({
    keyOf: (count) => `${count.range}\n${dailyKey(count)}`,
    merge: addRows,
    write: async (counts) => stores.requestStats?.addDurations(counts),
    intervalMs: usageIntervalMs,
    onError: (error) => report('durations of requests were not written', error),
    onDrop: ({ project, model }, error) =>
      report(`durations of requests of ${JSON.stringify({ project, model })} were given up`, error),
  });
  const keyWriter = createBufferedWriter<{ readonly id: string; readonly at: number }>({
    keyOf: ({ id }) => id,
    merge: (existing, added) => (existing.at >= added.at ? existing : added),
    write: (uses) => stores.keys.recordUse(uses),
    intervalMs: keyIntervalMs,
    onError: (error) => report('the last use of keys was not written', error),
    keepsProcessAlive: false,
  });
  /** The current day in Unix seconds, UTC. */
  const today = (): number => Math.floor(nowInSeconds(clock) / secondsPerDay) * secondsPerDay;
  return {
    count({ project, keyId }, model, usage, cost) {
      usageWriter.add({
        day: today(),
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
    countRequest({ project, keyId, model, isError, durationMs, firstTokenMs }) {
      if (!stores.requestStats) return;
      const key = { day: today(), project, keyId, model };
      requestWriter.add({ ...key, requests: 1, errors: isError ? 1 : 0 });
      durationWriter.add({ ...key, range: durationRange(durationMs), requests: 1, firstTokens: 0 });
      if (firstTokenMs === undefined) return;
      durationWriter.add({ ...key, range: durationRange(firstTokenMs), requests: 0, firstTokens: 1 });
    },
    recordKeyUse: (id) => keyWriter.add({ id, at: nowInSeconds(clock) }),
    async flush() {
      await Promise.all([usageWriter.flush(), requestWriter.flush(), durationWriter.flush(), keyWriter.flush()]);
    },
  };
}
