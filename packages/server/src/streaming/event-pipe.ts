import type { ByteReservation } from '../limits/byte-budget.ts';
import { encodeData } from '@modelwire/core';
import { logError } from '../call.ts';
import type { Call, Pipe } from '../call.ts';
import type { ServerContext } from '../context.ts';
import { errorBody, toRequestError } from '../errors.ts';
import type { RequestError } from '../errors.ts';
import { unrefTimeout } from '../timers.ts';

/** The writing end of a stream of events. Bounded: `isFull` says when to wait for the reader. */
export interface EventSink {
  /** The text of whole events, in pieces: they are joined once, which is cheaper than a growing text. */
  write(...pieces: readonly string[]): void;
  /** Whether enough text is buffered: await `drained()` before the next write. */
  readonly isFull: boolean;
  /** Resolves when there is space in the buffer. Rejects when the signal aborts, and when the reader reads nothing for `stallMs`. */
  drained(): Promise<void>;
  /** Whether bytes may have been sent. Until then an error can still become an HTTP status. */
  readonly hasStarted: boolean;
  /** Whether the reader has disconnected: further writes are discarded. */
  readonly isClosed: boolean;
  /** Marks the reply as failed, although its producer ends normally: the last events report the failure. Only the first error counts. */
  fail(error: unknown): void;
}

/** Where the chunks of a reply are written. */
export type ChunkSink = Pick<EventSink, 'write' | 'isFull' | 'drained' | 'isClosed'>;

/** The reading end of a stream of events. A chunk is the text of all events of one tick. */
export interface EventPipe extends Pipe<string> {
  /** Resolves when the producer has ended; with the error if the reply failed. Its last events may still be buffered. Never rejects. */
  readonly done: Promise<unknown>;
  /** Whether the producer has ended, and the reader has received all events. */
  readonly isComplete: boolean;
}

export interface EventPipeOptions {
  /** Writes all events. If it throws before any bytes were sent, so does `openEventPipe`; after that it must not throw. */
  readonly produce: (sink: EventSink) => Promise<void>;
  /** Called when the reader disconnects: stop producing. */
  readonly cancel: (reason: unknown) => void;
  /** Aborts `drained()`. */
  readonly signal: () => AbortSignal;
  /** Milliseconds that a full buffer may wait for its reader: a producer that waits occupies a slot at the engine. */
  readonly stallMs: number;
  /** The same, while other requests wait for the slot that this producer occupies. */
  readonly contendedStallMs: number;
  readonly isContended: () => boolean;
  /** Milliseconds without events after which a comment is sent, which also starts the stream. 0: never. */
  readonly keepAliveMs: number;
  /** An event that is sent instead of the comment. */
  readonly keepAliveEvent?: string | undefined;
  /** Memory for a larger buffer, so that a producer can end before its reader. */
  readonly memory: Pick<ByteReservation, 'tryAcquire' | 'release'>;
}

/** UTF-16 code units that may be buffered before the producer has to wait. */
const highWater = 64 * 1024;
/** The limit if there is memory for more: some thousands of tokens, which is enough for most complete replies. */
const extendedHighWater = 1024 * 1024;

/** A comment, which clients ignore. */
const keepAliveComment = ': keep-alive\n\n';

// Node, Bun and Deno have setImmediate, which runs at the end of this tick. Elsewhere a timer comes close.
const atEndOfTick: (run: () => void) => unknown =
  typeof globalThis.setImmediate === 'function' ? globalThis.setImmediate : (run) => setTimeout(run, 0);

/**
 * Connects a producer of server-sent events to one reader. Events of one tick are sent in one piece, which makes streams cheap. Resolves
 * when the first events are available: with a text if those were all, otherwise with the pipe.
 */
export function openEventPipe(options: EventPipeOptions): Promise<string | EventPipe> {
  const { produce, cancel, signal, memory, isContended, stallMs, keepAliveMs } = options;
  const { keepAliveEvent = keepAliveComment } = options;
  const contendedStallMs = Math.min(stallMs, options.contendedStallMs);
  return new Promise((resolve, reject) => {
    let buffered: string[] = [];
    let bufferedLength = 0;
    let capacity = highWater;
    let stalled: (() => void) | undefined;
    /** Limits how long the rest of an ended stream waits for its reader. */
    let endTimer: ReturnType<typeof setTimeout> | undefined;
    let scheduled = false;
    let ended = false;
    let failure: unknown;
    let lastWriteAt = performance.now();
    let stopKeepAlive = keepAliveMs > 0 ? unrefTimeout(keepAliveMs, keepAlive) : undefined;
    /** Resolves the pending read. */
    let resolveRead: ((text: string | undefined) => void) | undefined;
    /** Resumes the waiting producer. */
    let resume: (() => void) | undefined;

    function flush(): void {
      scheduled = false;
      if (!sink.hasStarted) {
        sink.hasStarted = true;
        resolve(ended ? (takeBuffered() ?? '') : pipe);
      } else if (resolveRead && (bufferedLength > 0 || ended)) {
        const reader = resolveRead;
        resolveRead = undefined;
        reader(takeBuffered());
      }
    }
    function schedule(): void {
      if (scheduled) return;
      scheduled = true;
      lastWriteAt = performance.now();
      atEndOfTick(flush);
    }
    function keepAlive(): void {
      // Events that the reader has not read yet keep the connection alive, too.
      if (bufferedLength === 0 && performance.now() - lastWriteAt >= keepAliveMs) sink.write(keepAliveEvent);
      const silentMs = performance.now() - lastWriteAt;
      stopKeepAlive = unrefTimeout(silentMs < keepAliveMs ? keepAliveMs - silentMs : keepAliveMs, keepAlive);
    }
    function takeBuffered(): string | undefined {
      if (bufferedLength === 0) return undefined;
      const text = buffered.join('');
      empty();
      resume?.();
      return text;
    }
    function empty(): void {
      buffered = [];
      bufferedLength = 0;
      sink.isFull = false;
      clearTimeout(endTimer);
      if (capacity === highWater) return;
      capacity = highWater;
      memory.release();
    }
    function updateIsFull(): void {
      while (bufferedLength >= capacity && capacity < extendedHighWater && memory.tryAcquire(highWater))
        capacity += highWater;
      sink.isFull = bufferedLength >= capacity;
    }
    const pipe: { -readonly [Name in keyof EventPipe]: EventPipe[Name] } = {
      get isComplete() {
        return ended && bufferedLength === 0 && !sink.isClosed;
      },
      next() {
        if (sink.isClosed || (ended && bufferedLength === 0)) return Promise.resolve(undefined);
        if (bufferedLength > 0 && (!scheduled || ended)) return Promise.resolve(takeBuffered());
        return new Promise((reader) => (resolveRead = reader));
      },
      cancel(reason) {
        if (sink.isClosed || (ended && bufferedLength === 0)) return;
        sink.isClosed = true;
        stopKeepAlive?.();
        empty();
        cancel(reason);
        resume?.();
        resolveRead?.(undefined);
      },
      onStall(listener) {
        stalled = listener;
      },
      done: Promise.resolve(),
    };
    const sink: { -readonly [Name in keyof EventSink]: EventSink[Name] } = {
      write(...pieces) {
        if (sink.isClosed) return;
        for (const piece of pieces) {
          buffered.push(piece);
          bufferedLength += piece.length;
        }
        // Memory is reserved only by a producer that waits: the last events need none.
        sink.isFull = bufferedLength >= capacity;
        schedule();
      },
      isFull: false,
      drained() {
        updateIsFull();
        return sink.isClosed || !sink.isFull ? Promise.resolve() : waitForReader();
      },
      hasStarted: false,
      isClosed: false,
      fail(error) {
        failure ??= error;
      },
    };
    function disconnectReader(reason: Error): void {
      pipe.cancel(reason);
      stalled?.();
    }
    function waitForReader(): Promise<void> {
      const aborted = signal();
      return new Promise((done, fail) => {
        const settle = (end: () => void): void => {
          clearTimeout(timer);
          clearInterval(contention);
          aborted.removeEventListener('abort', onAbort);
          resume = undefined;
          end();
        };
        const onAbort = (): void => settle(() => fail(aborted.reason as Error));
        const disconnect = (): void => {
          const reason = readerStalled();
          settle(() => fail(reason));
          disconnectReader(reason);
        };
        const timer = setTimeout(disconnect, stallMs);
        const since = performance.now();
        const checkContention = (): void => {
          if (performance.now() - since >= contendedStallMs && isContended()) disconnect();
        };
        const contention = setInterval(checkContention, Math.max(10, contendedStallMs / 4));
        resume = () => settle(done);
        aborted.addEventListener('abort', onAbort);
        if (aborted.aborted) onAbort();
      });
    }
    pipe.done = produce(sink).then(
      () => {
        ended = true;
        stopKeepAlive?.();
        if (!sink.hasStarted) {
          // The reply is complete, so there is no need to wait for more events of this tick.
          flush();
          return failure;
        }
        schedule();
        if (bufferedLength > 0 && !resolveRead) endTimer = setTimeout(() => disconnectReader(readerStalled()), stallMs);
        return failure;
      },
      (thrown: unknown) => {
        stopKeepAlive?.();
        const error = thrown instanceof Error ? thrown : new Error('the producer failed', { cause: thrown });
        const hadStarted = sink.hasStarted;
        // Unexpected error: no more events, and after the first bytes the connection is closed.
        sink.hasStarted = sink.isClosed = true;
        empty();
        if (!hadStarted) reject(error);
        resolveRead?.(undefined);
        return failure ?? error;
      },
    );
  });
}

function readerStalled(): Error {
  return new Error('the reader stalled for too long');
}

/**
 * A reply that is streamed as events: their text, if all were available immediately, or a pipe. `done` is that of the pipe.
 */
export type StreamedReply =
  | { readonly status: number; readonly events: string }
  | { readonly status: number; readonly events: EventPipe; readonly done: Promise<unknown> };

type StreamedCall = Pick<Call, 'client' | 'logRecord'>;

/**
 * Streams a reply as events. Resolves with the first bytes: an error that `produce` throws earlier is an HTTP status. While `produce` waits, for
 * a queue or an upstream, comments keep the connection alive.
 *
 * @param engine The engine whose slot the reply occupies. While requests wait for it, a slow reader has less time.
 * @param keepAliveEvent An event that is sent instead of comments.
 */
export async function streamReply(
  call: StreamedCall,
  { options, queues, responseMemory }: ServerContext,
  engine: Parameters<ServerContext['queues']['get']>[0] | undefined,
  produce: (sink: EventSink) => Promise<void>,
  keepAliveEvent?: string,
): Promise<StreamedReply> {
  const queue = engine && queues.get(engine);
  call.logRecord.streamed = true;
  const events = await openEventPipe({
    cancel: (reason) => call.client.abort(reason),
    signal: () => call.client.signal,
    stallMs: options.writeTimeoutMs,
    contendedStallMs: options.contendedWriteTimeoutMs,
    keepAliveMs: options.streamKeepAliveMs,
    keepAliveEvent,
    isContended: () => queue?.isContended === true,
    memory: responseMemory.reserve(),
    produce,
  });
  return typeof events === 'string' ? { status: 200, events } : { status: 200, events, done: events.done };
}

/**
 * Ends a stream with an error event.
 *
 * @param isStream Whether the reply has to be a stream. Default: if bytes were sent. @throws the error otherwise, so that it becomes an HTTP status.
 */
export function writeError(thrown: unknown, call: StreamedCall, sink: EventSink, isStream = sink.hasStarted): void {
  const error = failStream(thrown, call, sink, isStream);
  if (error) sink.write(encodeData(JSON.stringify(errorBody(error))));
}

/** The error that the last event of a stream reports; undefined if the client has disconnected. @throws as {@link writeError}. */
export function failStream(
  thrown: unknown,
  call: StreamedCall,
  sink: EventSink,
  isStream = sink.hasStarted,
): RequestError | undefined {
  if (!isStream) throw thrown;
  sink.fail(thrown);
  // The client disconnected. A server that shuts down still sends the error.
  if (sink.isClosed) return undefined;
  const error = toRequestError(call.client.reason ?? thrown);
  logError(call.logRecord, error);
  return error;
}
