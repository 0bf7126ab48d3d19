import type { DailyKey } from './daily-key.ts';

/** Usage to be added to that of the same day, project, key and model. */
export interface UsageIncrement extends DailyKey {
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  /** In millionths of the currency of the price table at that time. */
  readonly costMicros: number;
}

export interface UsageQuery {
  /** Days from this one on, as Unix seconds. */
  readonly from: number;
  /** Days before this one. */
  readonly to: number;
  readonly projects?: readonly string[] | undefined;
  readonly keyIds?: readonly string[] | undefined;
  readonly models?: readonly string[] | undefined;
}

/** Usage by day, project, key and model. */
export interface UsageStore {
  /** Adds all of them or none. Concurrent calls do not lose additions. */
  add(increments: readonly UsageIncrement[]): Promise<void>;
  /** One entry for each day, project, key and model, ordered by these. */
  read(query: UsageQuery): Promise<readonly UsageIncrement[]>;
}
