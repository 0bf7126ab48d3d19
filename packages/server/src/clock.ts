import type { Clock } from '@modelwire/ports';

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

/** Unix seconds. */
export function nowInSeconds(clock: Pick<Clock, 'now'>): number {
  return Math.floor(clock.now() / 1000);
}
