import type { CompletionUsage } from '@modelwire/schema/types';
import { createDurationCounts } from './duration-counts.ts';
import type { DurationCounts } from './duration-counts.ts';

/** A request to a model that ended. */
export interface EndedRequest {
  readonly isError: boolean;
  readonly durationMs: number;
  readonly firstTokenMs: number | undefined;
  readonly usage: CompletionUsage | undefined;
  /** In millionths of the currency. */
  readonly costMicros: number;
}

export interface ActivitySums {
  readonly requests: number;
  readonly errors: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  readonly costMicros: number;
  readonly durations: DurationCounts;
  readonly firstTokens: DurationCounts;
}

/** The requests of this process by minute, for a day, in memory: the usage store has the days before. */
export interface RecentActivity {
  /** When counting began, in Unix seconds. */
  readonly since: number;
  /** @param at Unix seconds. */
  add(at: number, ended: EndedRequest): void;
  /** The sums of the minutes from `from` to `to`, in Unix seconds. */
  sum(from: number, to: number): ActivitySums;
}

/** The activity of a server without a console. */
export const noRecentActivity: RecentActivity = { since: 0, add: () => undefined, sum: () => emptySums() };

const secondsPerMinute = 60;
const maxMinutes = 24 * 60;

type Mutable<Sums> = { -readonly [Name in keyof Sums]: Sums[Name] };

const emptySums = (): Mutable<ActivitySums> => ({
  requests: 0,
  errors: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  costMicros: 0,
  durations: createDurationCounts(),
  firstTokens: createDurationCounts(),
});

export function createRecentActivity(since: number): RecentActivity {
  /** By the number of the minute, oldest first. */
  const minutes = new Map<number, Mutable<ActivitySums>>();

  function minuteAt(at: number): Mutable<ActivitySums> {
    const minute = Math.floor(at / secondsPerMinute);
    const existing = minutes.get(minute);
    if (existing) return existing;
    for (const old of minutes.keys()) if (old <= minute - maxMinutes) minutes.delete(old);
    const created = emptySums();
    minutes.set(minute, created);
    return created;
  }

  return {
    since,
    add(at, { isError, durationMs, firstTokenMs, usage, costMicros }) {
      const sums = minuteAt(at);
      sums.requests += 1;
      sums.errors += isError ? 1 : 0;
      sums.inputTokens += usage?.prompt_tokens ?? 0;
      sums.outputTokens += usage?.completion_tokens ?? 0;
      sums.cachedTokens += usage?.prompt_tokens_details?.cached_tokens ?? 0;
      sums.costMicros += costMicros;
      sums.durations.add(durationMs);
      if (firstTokenMs !== undefined) sums.firstTokens.add(firstTokenMs);
    },
    sum(from, to) {
      const total = emptySums();
      for (const [minute, sums] of minutes) {
        const at = minute * secondsPerMinute;
        if (at < from || at >= to) continue;
        for (const name of countNames) total[name] += sums[name];
        total.durations.merge(sums.durations);
        total.firstTokens.merge(sums.firstTokens);
      }
      return total;
    },
  };
}

const countNames = ['requests', 'errors', 'inputTokens', 'outputTokens', 'cachedTokens', 'costMicros'] as const;
