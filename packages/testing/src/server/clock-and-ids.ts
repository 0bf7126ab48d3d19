import type { Clock } from '@modelwire/ports';
import type { CreateId } from '@modelwire/server';
import type { ResolvedOptions } from './options.ts';

/** The clock and the IDs of one server. */
export interface ClockAndIds {
  readonly clock: Clock;
  /** Undefined for random IDs. */
  readonly createId: CreateId | undefined;
  /** Restarts the counters. */
  reset(): void;
}

/** IDs are counters for each prefix, so that they are the same in each run of a test. */
export function createClockAndIds({ ids, now }: Pick<ResolvedOptions, 'ids' | 'now'>): ClockAndIds {
  let counts = new Map<string, number>();
  function counted(prefix: string): string {
    const count = (counts.get(prefix) ?? 0) + 1;
    counts.set(prefix, count);
    return prefix + String(count).padStart(24, '0');
  }
  const time = typeof now === 'function' ? now : () => now;
  return {
    clock: { now: () => time() ?? Date.now(), monotonic: () => performance.now() },
    createId: ids === 'random' ? undefined : counted,
    reset() {
      counts = new Map();
    },
  };
}
