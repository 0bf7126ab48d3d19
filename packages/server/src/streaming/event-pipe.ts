import type { BodyReservation } from '../limits/memory-limiter.ts';

/** Where a producer writes its events. Bounded: `isFull` says when to wait for the reader. */
export interface EventSink {
  /** The text of whole events, in pieces: they are joined once, which is cheaper than a growing text. */
  write(...pieces: readonly string[]): void;
  /** More than a reader has taken waits already: await `drained()` before the next write. */
  isFull(): boolean;
  /** Rejects when the signal aborts, and when the reader took nothing for `stallMs`. */
  drained(): Promise<void>;
  /** Bytes may have left. Until then an error can still be an HTTP status. */
  hasStarted(): boolean;
  /** The reader left: what is written goes nowhere. */
  isClosed(): boolean;
}

/** The reader's end. */
export interface EventPipe {
  /** The next text, when it is there: all events of one tick at once. Undefined at the end. */
  next(): Promise<string | undefined>;
  /** The reader leaves. */
  cancel(reason: unknown): void;
  /** Calls back when the reader took nothing for too long and was disconnected: what it has is not whole. */
  onStall(tell: () => void): void;
  /** Resolves when the producer has ended, in whatever way. Its last events may still wait for the reader. */
  readonly done: Promise<void>;
}

export interface EventPipeOptions {
  /** Writes all events. When it throws before anything left, so does `openEventPipe`; afterwards it never may. */
  readonly produce: (sink: EventSink) => Promise<void>;
  /** The reader left: stop producing. */
  readonly cancel: (reason: unknown) => void;
  /** Frees a producer that waits for its reader. */
  readonly signal: () => AbortSignal;
  /** Milliseconds a full pipe may wait for its reader. Default two minutes: one that takes nothing holds a place at the engine. */
  readonly stallMs?: number;
  /** Whether others wait for what this producer holds while it waits. Its reader then has `contendedStallMs` only. */
  readonly isContended?: () => boolean;
  /** Default `stallMs`. */
  readonly contendedStallMs?: number;
  /** Memory for more than a pipe holds anyway, so that a producer can end without its reader. Default: none. */
  readonly memory?: Pick<BodyReservation, 'tryAdd' | 'release'>;
}

/** UTF-16 units that may wait for a reader before the producer is held. */
const highWater = 64 * 1024;
/** The same where there is memory for more: some thousands of tokens, which is most replies as a whole. */
const highestWater = 1024 * 1024;

// Node, Bun and Deno have setImmediate: the end of this tick. Elsewhere a timer comes as near as can be.
const atEndOfTick: (run: () => void) => unknown =
  typeof globalThis.setImmediate === 'function' ? globalThis.setImmediate : (run) => setTimeout(run, 0);

/**
 * Server-sent events between a producer and one reader. Events that are ready in one tick leave in one piece, which is what
 * makes streams cheap. Resolves when the first of them are there: with a text when that was all, else with the pipe.
 */
export function openEventPipe(options: EventPipeOptions): Promise<string | EventPipe> {
  const { produce, cancel, signal, memory, isContended, stallMs = 120_000 } = options;
  const contendedStallMs = Math.min(stallMs, options.contendedStallMs ?? stallMs);
  return new Promise((resolve, reject) => {
    let waiting: string[] = [];
    let length = 0;
    let room = highWater;
    let stalled: (() => void) | undefined;
    /** Bounds how long the rest of an ended stream waits for its reader. */
    let endTimer: ReturnType<typeof setTimeout> | undefined;
    let scheduled = false;
    let started = false;
    let ended = false;
    let closed = false;
    /** The reader, while it waits. */
    let give: ((text: string | undefined) => void) | undefined;
    /** The producer, while it is held. */
    let resume: (() => void) | undefined;

    function flush(): void {
      scheduled = false;
      if (!started) {
        started = true;
        resolve(ended ? (take() ?? '') : pipe);
      } else if (give && (length > 0 || ended)) {
        const reader = give;
        give = undefined;
        reader(take());
      }
    }
    function schedule(): void {
      if (scheduled) return;
      scheduled = true;
      atEndOfTick(flush);
    }
    function take(): string | undefined {
      if (length === 0) return undefined;
      const text = waiting.join('');
      empty();
      resume?.();
      return text;
    }
    function empty(): void {
      waiting = [];
      length = 0;
      clearTimeout(endTimer);
      if (room === highWater) return;
      room = highWater;
      memory?.release();
    }
    function isFull(): boolean {
      while (length >= room && room < highestWater && memory?.tryAdd(highWater) === true) room += highWater;
      return length >= room;
    }
    const pipe: { -readonly [Name in keyof EventPipe]: EventPipe[Name] } = {
      next() {
        if (closed || (ended && length === 0)) return Promise.resolve(undefined);
        if (length > 0 && (!scheduled || ended)) return Promise.resolve(take());
        return new Promise((reader) => (give = reader));
      },
      cancel(reason) {
        if (closed || (ended && length === 0)) return;
        closed = true;
        empty();
        cancel(reason);
        resume?.();
        give?.(undefined);
      },
      onStall(tell) {
        stalled = tell;
      },
      done: Promise.resolve(),
    };
    const sink: EventSink = {
      write(...pieces) {
        if (closed) return;
        for (const piece of pieces) {
          waiting.push(piece);
          length += piece.length;
        }
        schedule();
      },
      isFull,
      drained: () => (closed || !isFull() ? Promise.resolve() : waitForReader()),
      hasStarted: () => started,
      isClosed: () => closed,
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
          const reason = tookNothing();
          settle(() => fail(reason));
          disconnectReader(reason);
        };
        const timer = setTimeout(disconnect, stallMs);
        const since = performance.now();
        const contention =
          isContended &&
          setInterval(
            () => {
              if (performance.now() - since >= contendedStallMs && isContended()) disconnect();
            },
            Math.max(10, contendedStallMs / 4),
          );
        resume = () => settle(done);
        aborted.addEventListener('abort', onAbort);
        if (aborted.aborted) onAbort();
      });
    }
    pipe.done = produce(sink).then(
      () => {
        ended = true;
        schedule();
        if (started && length > 0 && !give) endTimer = setTimeout(() => disconnectReader(tookNothing()), stallMs);
      },
      (error: unknown) => {
        const failure = error instanceof Error ? error : new Error('the producer failed', { cause: error });
        if (!started) {
          started = closed = true;
          reject(failure);
          return;
        }
        // It may not, and has said nothing that could be sent: the reader sees the connection end.
        closed = true;
        empty();
        give?.(undefined);
      },
    );
  });
}

function tookNothing(): Error {
  return new Error('the reader took nothing for too long');
}
