/** The script was not said to its end, or something was asked that it does not have. */
export class UnusedError extends Error {
  override readonly name = 'UnusedError';
}
