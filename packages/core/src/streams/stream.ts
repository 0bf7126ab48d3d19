import { describeError, EXCERPT_LENGTH, isRecord, readText } from '../transport/response-reader.ts';
import type { ResponseReader } from '../transport/response-reader.ts';
import { AbortError, InputError, isModelwireError, StreamError } from '../errors.ts';
import type { ErrorDetails, ModelwireError, StreamErrorReason } from '../errors.ts';
import type { Exchange } from '../transport/exchange.ts';
import { createSseDecoder } from '../sse/decode.ts';
import type { SseEvent } from '../sse/decode.ts';
import { DONE } from '../sse/encode.ts';

/** `finished`: `[DONE]` arrived; `failed`: a typed error was or will be thrown; `aborted`: the caller aborted it. */
export type StreamState = 'open' | 'finished' | 'failed' | 'aborted';

/**
 * The JSON payloads of an event stream (API: Events). Can be iterated once. The loop ends normally only after `[DONE]`, and
 * throws a typed error otherwise. Leaving the loop cancels the body. Nothing is read ahead of the loop.
 */
export interface EventStream<T> extends AsyncIterable<T, void, undefined> {
  readonly state: StreamState;
  readonly requestId: string | undefined;
  /** The `id` of the last event that had one. Servers give events an ID if the stream can be continued after them. */
  readonly lastEventId: string | undefined;
  /** Status and headers. The body is consumed. */
  readonly response: Response;
  /** Aborts the stream: a loop over it throws an `AbortError`. No effect after the end. */
  abort(): void;
  /** The same payloads in arrays, one for each read, which takes fewer event-loop turns. Use it instead of iterating. */
  batches(): AsyncIterable<readonly T[], void, undefined>;
}

export interface StreamOptions<T> {
  /**
   * Whether a payload is the last one. After it, the stream may also end without `[DONE]`. Default: only `[DONE]` ends a stream.
   */
  readonly isLast?: ((payload: T) => boolean) | undefined;
}

/** Reads the response as a stream. Resolves after the first byte, so that an earlier failure is retried like any other. */
export function asStream<T>({ isLast }: StreamOptions<T> = {}): ResponseReader<EventStream<T>> {
  return {
    accept: 'text/event-stream',
    readsAll: false,
    async read(exchange) {
      const type = exchange.response.headers.get('content-type');
      if (type !== null && !/^text\/event-stream\b/i.test(type)) throw await unexpectedContentType(exchange, type);
      return openStream(exchange, await exchange.read(), isLast);
    },
  };
}

async function unexpectedContentType(exchange: Exchange, type: string): Promise<StreamError> {
  const text = exchange.redactKey(await readText(exchange, EXCERPT_LENGTH));
  exchange.close();
  const { message, ...fields } = describeError(text);
  const serverMessage = message === undefined ? '' : ` Server: ${message}`;
  return new StreamError(
    'unexpected_content_type',
    `The response is not an event stream: ${JSON.stringify(type)}.${serverMessage}`,
    { ...exchange.context, ...fields },
  );
}

function openStream<T>(
  exchange: Exchange,
  first: Uint8Array | undefined,
  isLast: StreamOptions<T>['isLast'],
): EventStream<T> {
  const { context, callAbort, response } = exchange;
  let state: StreamState = 'open';
  let failure: ModelwireError | undefined;
  let queue: T[] = [];
  let next = 0;
  let hasStarted = false;
  let isConsumed = false;
  let hasReceivedLast = false;
  let lastEventId: string | undefined;
  // Pending calls of next(), which are served in their order.
  let pendingCalls = 0;
  let lastCall: Promise<IteratorResult<T, void>>;

  const decoder = createSseDecoder({ maxEventBytes: exchange.maxEventBytes, onEvent: receive });
  callAbort.signal.addEventListener('abort', onAbort);

  return {
    get state() {
      return state;
    },
    requestId: context.requestId,
    get lastEventId() {
      return lastEventId;
    },
    response,
    abort() {
      if (state === 'open') callAbort.abort(new AbortError('The caller aborted the stream.', { ...context }));
    },
    batches() {
      consume();
      return batches();
    },
    [Symbol.asyncIterator]() {
      consume();
      return {
        next() {
          // The common case: no promise chain for a payload that has arrived.
          if (pendingCalls === 0 && next < queue.length)
            return Promise.resolve({ done: false, value: queue[next++] as T });
          pendingCalls++;
          lastCall = pendingCalls > 1 ? lastCall.then(advance, advance) : advance();
          return lastCall;
        },
        return() {
          cancel();
          return Promise.resolve({ done: true, value: undefined });
        },
      };
    },
  };

  function consume(): void {
    if (isConsumed) throw new InputError('A stream can be iterated once.', { ...context });
    isConsumed = true;
  }

  async function advance(): Promise<IteratorResult<T, void>> {
    try {
      while (next >= queue.length) if (!(await readQueue())) return { done: true, value: undefined };
      return { done: false, value: queue[next++] as T };
    } finally {
      pendingCalls--;
    }
  }

  async function* batches(): AsyncGenerator<readonly T[], void, undefined> {
    try {
      while (await readQueue()) if (queue.length > 0) yield queue;
    } finally {
      cancel();
    }
  }

  /** Reads once. Returns false after `[DONE]`, and throws after any other end, each time. */
  async function readQueue(): Promise<boolean> {
    queue = [];
    next = 0;
    if (state === 'open') {
      try {
        const chunk = hasStarted ? await exchange.read() : first;
        hasStarted = true;
        first = undefined;
        if (chunk !== undefined) decoder.push(chunk);
        else if (hasReceivedLast) end('finished');
        else fail('truncated', 'The stream ended before [DONE].');
      } catch (error) {
        if (error instanceof StreamError) fail(error.reason, error.message);
        else if (isModelwireError(error)) end('failed', error);
        else throw error;
      }
      // Payloads that arrived before the end come first.
      if (queue.length > 0) return true;
    }
    if (failure !== undefined) throw failure;
    return state === 'open';
  }

  function receive({ data, event, id }: SseEvent): void {
    if (state !== 'open' || event === 'ping') return;
    if (data.startsWith(DONE)) {
      end('finished');
      return;
    }
    let value: T;
    try {
      value = JSON.parse(data) as T;
    } catch (cause) {
      const body = exchange.redactKey(data.slice(0, EXCERPT_LENGTH));
      fail('malformed', 'The stream has an event that is not JSON.', { body, cause });
      return;
    }
    if (event !== 'error' && !isErrorFrame(value)) {
      exchange.inspect(value, 'event');
      queue.push(value);
      lastEventId = id;
      hasReceivedLast = isLast?.(value) ?? false;
      return;
    }
    const { message, ...fields } = describeError(exchange.redactKey(data));
    fail('error_frame', message ?? 'The server reported an error.', fields);
  }

  function fail(reason: StreamErrorReason, message: string, details?: ErrorDetails): void {
    end('failed', new StreamError(reason, message, { ...context, ...details }));
  }

  function onAbort(): void {
    const reason = callAbort.reason();
    queue = [];
    end(reason instanceof AbortError ? 'aborted' : 'failed', reason);
  }

  function cancel(): void {
    queue = [];
    end('aborted');
  }

  function end(finalState: StreamState, error?: ModelwireError): void {
    if (state !== 'open') return;
    state = finalState;
    failure = error;
    decoder.end();
    exchange.close(finalState === 'finished');
  }
}

function isErrorFrame(value: unknown): boolean {
  return isRecord(value) && (value['error'] ?? null) !== null;
}
