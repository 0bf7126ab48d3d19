/** Counts what is done for a text, so that a test can hold it against the text's length without a clock. */
export interface Work {
  steps: number;
  /** Guesses at disguises in the window that is read. */
  guesses?: number;
}
