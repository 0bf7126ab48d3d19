import type { Clock } from '@modelwire/ports';
import { createBoundedMap } from '@modelwire/adapter-kit';

/** A change by another process has an effect within this time. */
const ttlMs = 2000;
export const maxLookups = 10_000;

/** Caches lookups for two seconds. */
interface LookupCache<Value> {
  /** Lookups are cached from their start, so that a burst for one key is one. One that failed is repeated. */
  get(key: string, lookUp: () => Promise<Value>): Value | Promise<Value>;
  /** Also drops pending lookups: they may have read old values. */
  clear(): void;
}

interface Lookup<Value> {
  /** By the monotonic clock. */
  until: number;
  readonly pending: Promise<Value>;
  found?: { readonly value: Value };
}

export function createLookupCache<Value>(clock: Pick<Clock, 'monotonic'>): LookupCache<Value> {
  let lookups = createBoundedMap<string, Lookup<Value>>(maxLookups);
  function start(key: string, pending: Promise<Value>): Lookup<Value> {
    const lookup: Lookup<Value> = { until: clock.monotonic() + ttlMs, pending };
    pending.then(
      (value) => (lookup.found = { value }),
      () => (lookup.until = -Infinity),
    );
    lookups.set(key, lookup);
    return lookup;
  }
  return {
    get(key, lookUp) {
      const cached = lookups.get(key);
      const { found, pending } = cached && cached.until > clock.monotonic() ? cached : start(key, lookUp());
      return found ? found.value : pending;
    },
    clear: () => (lookups = createBoundedMap(maxLookups)),
  };
}
