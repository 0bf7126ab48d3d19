const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** 10 attempts in about 23 hours. */
export const defaultRetryDelaysMs: readonly number[] = [
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  hour,
  3 * hour,
  6 * hour,
  12 * hour,
];

/** How much a delay varies, so that the retries after an outage do not arrive together. */
const jitter = 0.2;

/** Milliseconds until the next attempt; undefined after the last one. `attempt`: the one that failed, from 1. */
export function retryDelayMs(attempt: number, delays: readonly number[], random = Math.random): number | undefined {
  const delay = delays[attempt - 1];
  return delay === undefined ? undefined : Math.round(delay * (1 - jitter + 2 * jitter * random()));
}
