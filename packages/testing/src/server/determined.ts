import type { FullOptions } from './options.ts';

/** Ids and the time of one server. */
export interface Determined {
  readonly id: (prefix: string) => string | undefined;
  readonly now: () => number | undefined;
  /** Counts from the beginning again. */
  reset(): void;
}

/** Ids are counted for each prefix, so that a test meets the same ones each time. */
export function determined({ ids, now }: Pick<FullOptions, 'ids' | 'now'>): Determined {
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
