/** A request matched no rule, or a rule or fault was not used. */
export class UnmatchedRequestError extends Error {
  override readonly name = 'UnmatchedRequestError';
}
