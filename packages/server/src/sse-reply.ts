/** Where a handler writes its events. Bounded: `full` says when to wait for the reader. */
export interface EventSink {
  /** One event's data: a text without line breaks, as JSON is. */
  write(data: string): void;
  /** More than a reader has taken waits already: await `drained()` before the next write. */
  readonly full: boolean;
  drained(): Promise<void>;
  /** Bytes may have left. Until then an error can still be an HTTP status. */
  readonly started: boolean;
  /** The reader left: what is written goes nowhere. */
  readonly closed: boolean;
}

export interface SseReplyOptions {
  /** Writes all events. When it throws before anything left, `sseReply` rejects with that; afterwards it never may. */
  readonly produce: (sink: EventSink) => Promise<void>;
  /** The reader left: stop producing. */
  readonly cancel: (reason: unknown) => void;
}

/** UTF-16 units that may wait for a reader before the producer is held. */
const highWater = 64 * 1024;
const encoder = new TextEncoder();

// Node, Bun and Deno have setImmediate: the end of this tick. Elsewhere a timer comes as near as can be.
const atEndOfTick: (run: () => void) => unknown =
  typeof globalThis.setImmediate === 'function' ? globalThis.setImmediate : (run) => setTimeout(run, 0);

/**
 * A body of server-sent events. Events that are ready in one tick leave in one write, which is what makes streams cheap;
 * a stream that ended within its first tick is a plain text. Resolves when the first bytes are there.
 */
export function sseReply({ produce, cancel }: SseReplyOptions): Promise<string | ReadableStream<Uint8Array>> {
  return new Promise((resolve, reject) => {
    let waiting = '';
    let scheduled = false;
    let started = false;
    let ended = false;
    let closed = false;
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
    let wanted = false;
    let resume: (() => void) | undefined;

    function begin(): void {
      started = true;
      if (ended) {
        resolve(waiting);
        return;
      }
      resolve(
        new ReadableStream<Uint8Array>(
          {
            start: (c) => void (controller = c),
            pull() {
              wanted = true;
              if (!scheduled || ended) flush();
            },
            cancel(reason) {
              closed = true;
              waiting = '';
              cancel(reason);
              resume?.();
            },
          },
          { highWaterMark: 0 },
        ),
      );
    }
    function flush(): void {
      scheduled = false;
      if (!started) {
        begin();
        return;
      }
      if (closed || !wanted || !controller) return;
      if (waiting !== '') {
        wanted = false;
        const text = waiting;
        waiting = '';
        controller.enqueue(encoder.encode(text));
        resume?.();
      }
      if (ended && waiting === '') {
        closed = true;
        controller.close();
      }
    }
    function schedule(): void {
      if (scheduled) return;
      scheduled = true;
      atEndOfTick(flush);
    }

    const sink: EventSink = {
      write(data) {
        if (closed) return;
        waiting += `data: ${data}\n\n`;
        schedule();
      },
      get full() {
        return waiting.length >= highWater;
      },
      drained: () =>
        closed || waiting.length < highWater
          ? Promise.resolve()
          : new Promise((done) => {
              resume = () => {
                resume = undefined;
                done();
              };
            }),
      get started() {
        return started;
      },
      get closed() {
        return closed;
      },
    };
    produce(sink).then(
      () => {
        ended = true;
        schedule();
      },
      (error: unknown) => {
        if (!started) {
          started = closed = true;
          reject(error instanceof Error ? error : new Error('the producer failed', { cause: error }));
          return;
        }
        closed = true;
        controller?.error(error);
      },
    );
  });
}
