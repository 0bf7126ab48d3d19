/** A failed request, without its content and without the error message, which may quote the content. */
export interface FailedRequest {
  readonly requestId: string;
  /** Unix seconds. */
  readonly at: number;
  readonly route: string;
  readonly status: number;
  readonly code: string;
  /** The field that the error names. */
  readonly param: string | null;
  readonly project: string;
  readonly keyId: string;
  /** Empty where the request named no model of the server. */
  readonly model: string;
  /** Why the last attempt at an upstream failed. */
  readonly upstreamFailure: string | undefined;
  /** The batch of which it was a line. */
  readonly batch: string | undefined;
}

/** The failed requests of this process, in memory and bounded: the log is the complete record. */
export interface RecentErrors {
  add(failed: FailedRequest): void;
  /** The newest first. */
  list(): readonly FailedRequest[];
}

/** The errors of a server without a console. */
export const noRecentErrors: RecentErrors = { add: () => undefined, list: () => [] };

/** How many are kept; the oldest are dropped. */
const max = 500;

export function createRecentErrors(): RecentErrors {
  let older: readonly FailedRequest[] = [];
  let newer: FailedRequest[] = [];
  return {
    add(failed) {
      newer.push(failed);
      // Two lists, so that dropping the oldest errors does not shift a long array with each request.
      if (newer.length < max) return;
      older = newer;
      newer = [];
    },
    list: () => [...older, ...newer].slice(-max).toReversed(),
  };
}
