/** A batch whose lines wait for a budget, or run again. */
export interface BatchPause {
  readonly batch: string;
  readonly project: string;
  /** ID of the budget. */
  readonly budget: string;
  /** Unix time, in seconds, at which the budget resets. It may be raised earlier. */
  readonly resetsAt: number;
  /** False when the lines run again. */
  readonly isPaused: boolean;
}
