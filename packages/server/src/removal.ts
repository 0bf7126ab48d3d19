import type { KitOptions } from './options.ts';

/** How often it looks, and how much it removes in one go: small enough to disturb nobody. */
const everyMs = 60_000;
const limit = 500;

/** Removes in the background what is past its time: stored completions after `retentionDays`, idempotency keys after theirs. */
export function startRemoval({ stores, retentionDays, report }: KitOptions): { stop(): void } {
  if (!stores) return { stop: () => undefined };
  async function remove(): Promise<void> {
    const now = Date.now();
    const completionsBefore = retentionDays === undefined ? undefined : Math.floor(now / 1000) - retentionDays * 86_400;
    try {
      let removed: number | undefined;
      do removed = await stores?.removeExpired({ completionsBefore, now, limit });
      while (removed !== undefined && removed >= limit);
    } catch (error) {
      report('what is old was not removed', error);
    }
  }
  const timer = setInterval(() => void remove(), everyMs);
  // A timer alone keeps no program alive. (Outside Node it is a number, and nothing waits for it anyway.)
  if (typeof timer === 'object') timer.unref();
  void remove();
  return { stop: () => clearInterval(timer) };
}
