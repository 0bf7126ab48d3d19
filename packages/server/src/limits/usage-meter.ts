import type {
  Clock,
  DailyKey,
  DurationCount,
  MinuteStats,
  Principal,
  RequestStats,
  RequestStatsStore,
  Stores,
  UsageIncrement,
} from '@modelwire/ports';
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
  readonly usage: CompletionUsage | undefined;
  /** In millionths of the currency. */
  readonly costMicros: number;
}

/** Counts what is used, and writes it to the stores at intervals: a crash loses what was counted since the last one. */
export interface UsageMeter {
  /** Counts the usage of a request. @param cost In millionths of the currency. */
  count(principal: Principal, model: string, usage: CompletionUsage | undefined, cost: number): void;
  /** Counts the outcome, the duration and the usage of a request, by day and by minute. */
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
    readonly requestStats?: Pick<RequestStatsStore, 'add' | 'addDurations' | 'addMinutes'> | undefined;
    readonly keys: Pick<Stores['keys'], 'recordUse'>;
  };
  /** Whether requests are also counted by minute, for the console. */
  readonly countsMinutes: boolean;
  readonly clock: Pick<Clock, 'now'>;
  readonly report: (what: string, error: unknown) => void;
}

const usageIntervalMs = 1000;
const minuteIntervalMs = 5000;
/** A key that is used is recorded once in this time. */
const keyIntervalMs = 60_000;
const secondsPerDay = 86_400;
const secondsPerMinute = 60;
/** Pairs of a project and a model that this server counts separately in a minute. Requests of further ones are counted without either. */
const maxPairsPerMinute = 100;
/** IDs of projects and keys have no line breaks; the name of a model may contain any character, so it is last. */
const dailyKey = ({ day, project, keyId, model }: DailyKey): string => `${day}\n${project}\n${keyId}\n${model}`;

export function createUsageMeter({ stores, countsMinutes, clock, report }: UsageMeterInit): UsageMeter {
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
  const minuteWriter = createBufferedWriter<MinuteStats>({
    keyOf: ({ minute, range, project, model }) => `${minute}\n${range}\n${project}\n${model}`,
    merge: addRows,
    write: async (stats) => stores.requestStats?.addMinutes(stats),
    intervalMs: minuteIntervalMs,
    onError: (error) => report('requests of a minute were not written', error),
  });
  const minuteKeyOf = createMinuteKeys(clock);
  const countMinute = (stats: MinuteStats): void => {
    if (countsMinutes) minuteWriter.add(stats);
  };
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
        ...amountsOf(usage, cost),
      });
    },
    countRequest({ project, keyId, model, isError, durationMs, firstTokenMs, usage, costMicros }) {
      if (!stores.requestStats) return;
      const key = { day: today(), project, keyId, model };
      const minuteKey = minuteKeyOf(project, model);
      const range = durationRange(durationMs);
      const outcome = { requests: 1, errors: isError ? 1 : 0 };
      requestWriter.add({ ...key, ...outcome });
      durationWriter.add({ ...key, range, requests: 1, firstTokens: 0 });
      countMinute({ ...minuteKey, range, ...outcome, ...amountsOf(usage, costMicros), firstTokens: 0 });
      if (firstTokenMs === undefined) return;
      const ofFirstToken = { range: durationRange(firstTokenMs), requests: 0, firstTokens: 1 };
      durationWriter.add({ ...key, ...ofFirstToken });
      countMinute({ ...minuteKey, ...ofFirstToken, errors: 0, ...amountsOf(undefined, 0) });
    },
    recordKeyUse: (id) => keyWriter.add({ id, at: nowInSeconds(clock) }),
    async flush() {
      const writers = [usageWriter, requestWriter, durationWriter, minuteWriter, keyWriter];
      await Promise.all(writers.map((writer) => writer.flush()));
    },
  };
}

function amountsOf(usage: CompletionUsage | undefined, costMicros: number) {
  return {
    inputTokens: toCount(usage?.prompt_tokens ?? 0),
    outputTokens: toCount(usage?.completion_tokens ?? 0),
    cachedTokens: toCount(usage?.prompt_tokens_details?.cached_tokens ?? 0),
    costMicros: toCount(costMicros),
  };
}

/** What the requests of the current minute are counted for. */
function createMinuteKeys(clock: Pick<Clock, 'now'>) {
  let minute = 0;
  let pairs = new Set<string>();
  return (project: string, model: string): Pick<MinuteStats, 'minute' | 'project' | 'model'> => {
    const current = Math.floor(nowInSeconds(clock) / secondsPerMinute) * secondsPerMinute;
    if (current !== minute) pairs = new Set();
    minute = current;
    const pair = `${project}\n${model}`;
    if (!pairs.has(pair) && pairs.size >= maxPairsPerMinute) return { minute, project: '', model: '' };
    pairs.add(pair);
    return { minute, project, model };
  };
}
