import { createSemaphore } from '@modelwire/adapter-kit';
import type { Semaphore } from '@modelwire/adapter-kit';

/** Runs `run`, at once without a key; otherwise once fewer than the limit with the same key are running. */
export type LimitPerKey = <Result>(key: string | undefined, run: () => Promise<Result>) => Promise<Result>;

/** At most `limit` calls with the same key run at once; the others wait in their order. */
export function createLimitPerKey(limit: number): LimitPerKey {
  const semaphores = new Map<string, Semaphore>();
  return async (key, run) => {
    if (key === undefined) return run();
    const semaphore = semaphores.get(key) ?? createSemaphore(limit);
    semaphores.set(key, semaphore);
    try {
      return await semaphore.run(run);
    } finally {
      if (semaphore.active === 0) semaphores.delete(key);
    }
  };
}
