import type { DailyKey } from './daily-key.ts';

/** Requests to models that ended, to be added to those of the same day, project, key and model. */
export interface RequestStats extends DailyKey {
  /** Successful and failed requests. */
  readonly requests: number;
  readonly errors: number;
  /** Total duration of all requests, in milliseconds. */
  readonly durationMs: number;
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

/** Outcomes and durations of requests, by day, project, key and model. */
export interface RequestStatsStore {
  /** Adds all of them or none. Concurrent calls do not lose additions. */
  add(stats: readonly RequestStats[]): Promise<void>;
  /** One entry for each day, project, key and model, ordered by these. */
  read(query: RequestStatsQuery): Promise<readonly RequestStats[]>;
}
