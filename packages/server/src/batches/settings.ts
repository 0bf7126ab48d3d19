/** How batches are run. */
export interface BatchSettings {
  /** Lines at work at once, of all batches that this server runs. Default 16. */
  readonly concurrency: number;
  /** Batches of one project that this server runs at once: a small one of another need not wait for many large ones. Default 4. */
  readonly ofProject: number;
  /** Seconds after its creation that a batch ends, done or not. Default a day, which is what `24h` says. */
  readonly windowSeconds: number;
  /** Seconds that a batch is `cancelling`, with writing its results. Default 600 (interface: Limits). */
  readonly cancelSeconds: number;
  /** Milliseconds before a line is tried again that an engine refused for now; doubled each time, up to a minute. Default 500. */
  readonly retryMs: number;
  /** Of the lines of each project: they do not count against its keys. Null is unlimited, the default. */
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
}

/** The part of `cancelSeconds` in which lines at work may end; the rest is for writing the results, seconds for 50,000 lines. */
export const linesShare = 0.9;
/** Batches that a server runs at once. */
export const batchesAtOnce = 32;
/** Batches that are cancelled, or whose window is over, and are ended though there be no place for them. */
export const batchesInHurry = 8;
/** Of the memory for lines, what one batch takes with more than one line: those that wait leave the others room. */
export const memoryShare = 1 / 64;
