import { RequestError } from '../errors.ts';

/** Whether the caller is still there, as a signal that is made when first asked for: most requests end before anybody asks. */
export interface Caller {
  readonly signal: AbortSignal;
  /** Ends the work: the caller left, or a stopping server waits no longer. The first reason stands. */
  abort(reason: unknown): void;
  readonly reason: unknown;
  readonly left: boolean;
}

export function createCaller(): Caller {
  let controller: AbortController | undefined;
  let reason: unknown;
  return {
    get signal() {
      controller ??= new AbortController();
      if (reason !== undefined && !controller.signal.aborted) controller.abort(reason);
      return controller.signal;
    },
    abort(why) {
      if (reason !== undefined) return;
      reason = why ?? callerLeft();
      controller?.abort(reason);
    },
    get reason() {
      return reason;
    },
    get left() {
      return reason instanceof RequestError && reason.code === 'caller_left';
    },
  };
}

/** Nobody reads it; the log does. 499 is what reverse proxies call it. */
export function callerLeft(): RequestError {
  return new RequestError('The caller closed the connection.', { status: 499, type: 'aborted', code: 'caller_left' });
}
