import { ConnectionError, isModelwireError, ModelwireError, TimeoutError } from '../errors.ts';
import type { Attempt, ErrorDetails } from '../errors.ts';
import type { ResolvedTimeouts } from './options.ts';

const DRAIN_TIMEOUT_MS = 1000;

/** The details that errors of a call carry; updated by each attempt. */
export interface CallContext {
  readonly attempts: Attempt[];
  status: number | undefined;
  headers: Headers | undefined;
  requestId: string | undefined;
}

/** An AbortController whose reason is a typed error. */
export interface CallAbort {
  readonly signal: AbortSignal;
  /** Why it was aborted, if it was. */
  reason(): ModelwireError | undefined;
  /** Aborts the signal. Only the first reason counts. */
  abort(reason: ModelwireError): void;
}

export function createCallAbort(): CallAbort {
  const controller = new AbortController();
  let first: ModelwireError | undefined;
  return {
    signal: controller.signal,
    reason: () => first,
    abort(reason) {
      first ??= reason;
      controller.abort(first);
    },
  };
}

/** Starts a timer; none for 0 and for a delay that overflows a timer, which would fire immediately. */
export function startTimer(ms: number, run: () => void): ReturnType<typeof setTimeout> | undefined {
  return ms > 0 && ms < 2 ** 31 ? setTimeout(run, ms) : undefined;
}

/** Settles like `promise`, or rejects as soon as the call is aborted: not every fetch or middleware observes its signal. */
export async function raceAbort<T>(callAbort: CallAbort, promise: Promise<T>): Promise<T> {
  const { signal } = callAbort;
  let onAbort = (): void => undefined;
  const aborted = new Promise<void>((resolve) => (onAbort = resolve));
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort);
  try {
    await Promise.race([promise, aborted]);
    throwIfAborted(callAbort);
    return await promise;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

export function throwIfAborted(callAbort: CallAbort): void {
  const reason = callAbort.reason();
  if (reason !== undefined) throw reason;
}

/** A response whose body is read within the timeouts of the call. */
export interface Exchange {
  readonly response: Response;
  readonly context: CallContext;
  readonly callAbort: CallAbort;
  readonly maxEventBytes: number | undefined;
  /** The next bytes, `undefined` at the end. Rejects with a typed error. */
  read(): Promise<Uint8Array | undefined>;
  /**
   * Frees timers and listeners, and cancels the rest of the body. With `drain` it first waits up to one second for the end of the
   * body, so that the connection can be reused.
   */
  close(drain?: boolean): void;
  /** Calls `run` at `close`, or immediately if the exchange is closed. */
  whenClosed(run: () => void): void;
  /** Removes the API key from a message or a body. */
  readonly redactKey: (text: string) => string;
  /** Passes a received value to the `inspect` option. Throws a typed error that fails the call. */
  readonly inspect: (value: unknown, part: 'response' | 'event') => void;
}

export interface ExchangeInit extends Pick<
  Exchange,
  'response' | 'context' | 'callAbort' | 'maxEventBytes' | 'redactKey' | 'inspect'
> {
  readonly timeouts: ResolvedTimeouts;
}

export function openExchange({ timeouts, ...init }: ExchangeInit): Exchange {
  const { response, context, callAbort, redactKey } = init;
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = response.body?.getReader();
  let phase: 'first_byte' | 'idle' = 'first_byte';
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;
  let onClose: (() => void) | undefined;
  // Only the time in which a read is pending counts: a slow consumer is not an idle server. 0: no read is pending.
  let waitingSince = 0;
  // Cancelling settles a pending read, also where the body does not observe the signal of its request.
  const cancel = (): void => void reader?.cancel(callAbort.reason()).catch(() => undefined);
  callAbort.signal.addEventListener('abort', cancel);

  return {
    ...init,
    async read() {
      throwIfAborted(callAbort);
      if (reader === undefined) return undefined;
      waitingSince = performance.now();
      timer ??= startTimer(timeoutMs(), checkIdleTimeout);
      try {
        const { value } = await reader.read();
        throwIfAborted(callAbort);
        if (phase === 'first_byte') {
          phase = 'idle';
          clearTimeout(timer);
          timer = undefined;
        }
        return value;
      } catch (error) {
        throw callAbort.reason() ?? connectionError(error, context, redactKey);
      } finally {
        waitingSince = 0;
      }
    },
    close(drain = false) {
      clearTimeout(timer);
      isClosed = true;
      onClose?.();
      if (!drain || reader === undefined) {
        cancel();
        return;
      }
      const drainTimer = setTimeout(cancel, DRAIN_TIMEOUT_MS);
      const drained = (): void => {
        clearTimeout(drainTimer);
        cancel();
      };
      reader.read().then(drained, drained);
    },
    whenClosed(run) {
      if (isClosed) run();
      else onClose = run;
    },
  };

  function timeoutMs(): number {
    return phase === 'idle' ? timeouts.idle : timeouts.firstByte;
  }

  /** One timer serves many reads: when it fires, it is set again for the rest of the pending read's time. */
  function checkIdleTimeout(): void {
    timer = undefined;
    if (waitingSince === 0) return;
    const remainingMs = waitingSince + timeoutMs() - performance.now();
    if (remainingMs > 0) timer = setTimeout(checkIdleTimeout, remainingMs);
    else callAbort.abort(new TimeoutError(phase, timeoutMs(), { ...context }));
  }
}

/** Wraps what `fetch` or a body threw. */
export function connectionError(
  thrown: unknown,
  details: ErrorDetails,
  redactKey: (text: string) => string,
): ModelwireError {
  if (isModelwireError(thrown)) return thrown;
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
  let reason = String(cause);
  if (cause instanceof Error) {
    // Errors of hosts with several addresses have a code and no message.
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
    reason = cause.message || code || cause.name;
    if (!reason.includes(code)) reason += ` (${code})`;
  }
  return new ConnectionError(redactKey(`The connection failed: ${reason}`), {
    ...details,
    cause: thrown,
  });
}

/** Wraps what middleware, an `apiKey` function or the source of a body threw. */
export function toModelwireError(thrown: unknown, details: ErrorDetails): ModelwireError {
  if (isModelwireError(thrown)) return thrown;
  return new ModelwireError('The call failed: see the cause.', { ...details, cause: thrown });
}
