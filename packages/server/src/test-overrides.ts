/** Overrides random IDs and the clock, so that tests get the same ones each time. A result of undefined overrides nothing. */
export interface TestOverrides {
  readonly id: (prefix: string) => string | undefined;
  /** Unix milliseconds, for the timestamps and expiry of objects. */
  readonly now: () => number | undefined;
  /** Milliseconds of the monotonic clock, for limits and caches. Default: the real one, which leases and timeouts always use. */
  readonly monotonicNow?: () => number | undefined;
}

let current: TestOverrides | undefined;

/** Sets the overrides of all servers in this process. To override those of one server, distinguish them by `AsyncLocalStorage`. */
export function setTestOverrides(overrides: TestOverrides | undefined): void {
  current = overrides;
}

/** The overrides in use, if there are any. */
export function testOverrides(): TestOverrides | undefined {
  return current;
}
