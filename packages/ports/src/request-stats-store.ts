import type { DailyKey } from './daily-key.ts';

/** Requests to models that ended, to be added to those of the same day, project, key and model. */
export interface RequestStats extends DailyKey {
  /** Successful and failed requests. */
  readonly requests: number;
  readonly errors: number;
}

export interface RequestStatsQuery {
  /** Days from this one on, as Unix seconds. */
  readonly from: number;
  /** Days before this one. */
  readonly to: number;
  readonly project?: string | undefined;
  readonly keyId?: string | undefined;
  readonly model?: string | undefined;
}

/** Requests of a range of durations, to be added to those of the same day, project, key, model and range. */
export interface DurationCount extends DailyKey {
  /** Number of the range. What it contains is up to the server. */
  readonly range: number;
  /** Requests that took so long. */
  readonly requests: number;
  /** Requests whose first token took so long. */
  readonly firstTokens: number;
}

export interface DurationQuery extends RequestStatsQuery {
  /** What the sums are for. */
  readonly by: 'day' | 'project' | 'keyId' | 'model';
}

/** The sums of a range of durations. */
export interface DurationSum extends Pick<DurationCount, 'range' | 'requests' | 'firstTokens'> {
  /** The day in Unix seconds, the project, the key or the model. */
  readonly group: number | string;
}

/** Requests of a minute and a range of durations, to be added to those of the same minute, project, model and range. */
export interface MinuteStats {
  /** Unix seconds of the start of the minute. */
  readonly minute: number;
  readonly project: string;
  readonly model: string;
  /** Number of the range. What it contains is up to the server. */
  readonly range: number;
  /** Requests that took so long, with their errors, tokens and costs (in millionths of the currency). */
  readonly requests: number;
  readonly errors: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  readonly costMicros: number;
  /** Requests whose first token took so long. */
  readonly firstTokens: number;
}

export interface MinuteQuery {
  /** Minutes from this one on, as Unix seconds. */
  readonly from: number;
  /** Minutes before this one. */
  readonly to: number;
  /** Seconds of the steps that minutes are summed by, which start at multiples of it: one of a few divisors of a day. */
  readonly step: number;
  readonly project?: string | undefined;
  readonly model?: string | undefined;
}

/** The sums of a step and a range of durations. */
export interface StepStats extends Omit<MinuteStats, 'minute' | 'project' | 'model'> {
  /** Unix seconds of the start of the step. */
  readonly start: number;
}

/** Outcomes and durations of requests, by day, project, key and model; those of the last two days also by minute, project and model. */
export interface RequestStatsStore {
  /** Adds all of them or none. Concurrent calls do not lose additions. */
  add(stats: readonly RequestStats[]): Promise<void>;
  /** One entry for each day, project, key and model, ordered by these. */
  read(query: RequestStatsQuery): Promise<readonly RequestStats[]>;
  /** Adds all of them or none, like `add`. */
  addDurations(counts: readonly DurationCount[]): Promise<void>;
  /** One entry for each group and range, in any order. */
  readDurations(query: DurationQuery): Promise<readonly DurationSum[]>;
  /** Adds all of them or none, like `add`. */
  addMinutes(stats: readonly MinuteStats[]): Promise<void>;
  /** One entry for each step and range with requests, in any order. */
  readMinutes(query: MinuteQuery): Promise<readonly StepStats[]>;
}
