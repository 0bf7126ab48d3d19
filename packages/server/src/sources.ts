/** Where ids and the time come from, for tests that want the same ones each time. Undefined: from chance, and from the clock. */
export interface Sources {
  readonly id: (prefix: string) => string | undefined;
  /** Unix milliseconds. What objects are stamped with and expire by; leases, timeouts and limits are the clock's own affair. */
  readonly now: () => number | undefined;
}

let sources: Sources | undefined;

/** Sets them for all servers of this process; who wants them for one tells them apart by `AsyncLocalStorage`. */
export function setTestOverrides(given: Sources | undefined): void {
  sources = given;
}

export function overrideId(prefix: string): string | undefined {
  return sources?.id(prefix);
}

/** Unix milliseconds, for what callers see. */
export function now(): number {
  return sources?.now() ?? Date.now();
}

export function nowInSeconds(): number {
  return Math.floor(now() / 1000);
}
