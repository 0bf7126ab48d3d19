import type { ResolvedOptions } from './options.ts';

/** IDs and time of one server. */
export interface DeterministicOverrides {
  readonly id: (prefix: string) => string | undefined;
  readonly now: () => number | undefined;
  /** Restarts the counters. */
  reset(): void;
}

/** IDs are counters for each prefix, so that they are the same in each run of a test. */
export function createDeterministicOverrides({
  ids,
  now,
}: Pick<ResolvedOptions, 'ids' | 'now'>): DeterministicOverrides {
  let counts = new Map<string, number>();
  function counted(prefix: string): string {
    const count = (counts.get(prefix) ?? 0) + 1;
    counts.set(prefix, count);
    return prefix + String(count).padStart(24, '0');
  }
  return {
    id: ids === 'random' ? () => undefined : counted,
    now: typeof now === 'function' ? now : () => now,
    reset() {
      counts = new Map();
    },
  };
}
