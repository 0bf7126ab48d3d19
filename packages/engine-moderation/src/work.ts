/** Counts work for a text, so that a test can compare it with the text's length without a clock. */
export interface Work {
  steps: number;
  /** Guesses at disguises in the current window. */
  guesses?: number;
}
