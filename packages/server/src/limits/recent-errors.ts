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

/** @param max How many to keep; the oldest are dropped. */
export function createRecentErrors(max = 500): RecentErrors {
  let kept: readonly FailedRequest[] = [];
  let added: FailedRequest[] = [];
  return {
    add(failed) {
      added.push(failed);
      // Two halves, so that no request pays for moving the whole list.
      if (added.length < max) return;
      kept = added;
      added = [];
    },
    list: () => [...kept, ...added].slice(-max).toReversed(),
  };
}
