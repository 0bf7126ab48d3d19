/** How batches are run. */
export interface BatchSettings {
  /** Lines at work at once, of all batches that this server runs. Default 16. */
  readonly concurrency: number;
  /** Seconds after its creation that a batch ends, done or not. Default a day, which is what `24h` says. */
  readonly windowSeconds: number;
  /** Seconds that lines at work may take when their batch is cancelled. Default 600 (interface: Limits). */
  readonly cancelSeconds: number;
  /** Milliseconds before a line is tried again that an engine refused for now; doubled each time, up to a minute. Default 500. */
  readonly retryMs: number;
}

/** Batches that a server runs at once, and how many of them may be of one project: a small one need not wait for large ones. */
export const batchesAtOnce = 32;
export const batchesOfProject = 4;
/** Of the memory for lines, what one batch takes with more than one line: those that wait leave the others room. */
export const memoryShare = 1 / 64;
