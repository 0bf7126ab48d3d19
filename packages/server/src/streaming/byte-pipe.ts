import type { Pipe } from '../call.ts';

/** The reading end of a stream of bytes. */
export interface BytePipe extends Pipe<Uint8Array> {
  /** Resolves when the source has ended or was cancelled; with the failure if it failed. Never rejects. */
  readonly done: Promise<unknown>;
}

interface BytePipeOptions {
  readonly source: AsyncIterable<Uint8Array>;
  /** Milliseconds that a piece may wait for the reader. */
  readonly stallMs: number;
}

/**
 * Connects a source of bytes to one reader. The source is read on demand, and its iteration ends when the reader disconnects or stalls.
 * Resolves with the first piece, so that a source that cannot be read still results in an HTTP status.
 */
export async function openBytePipe({ source, stallMs }: BytePipeOptions): Promise<BytePipe> {
  const iterator = source[Symbol.asyncIterator]();
  let first: IteratorResult<Uint8Array> | undefined = await iterator.next();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let ended = false;
  let stalled: (() => void) | undefined;
  const done = Promise.withResolvers<unknown>();

  function end(failure?: unknown): boolean {
    clearTimeout(timer);
    if (ended) return false;
    ended = true;
    done.resolve(failure);
    return true;
  }
  function cancel(): void {
    // Errors of ending the source are ignored.
    if (end()) iterator.return?.().catch(() => undefined);
  }
  function stall(): void {
    cancel();
    stalled?.();
  }
  return {
    async next() {
      clearTimeout(timer);
      if (ended) return undefined;
      try {
        const result = first ?? (await iterator.next());
        first = undefined;
        if (result.done === true) {
          end();
          return undefined;
        }
        timer = setTimeout(stall, stallMs);
        return result.value;
      } catch (error) {
        end(error);
        throw error;
      }
    },
    cancel,
    onStall(listener) {
      stalled = listener;
    },
    done: done.promise,
  };
}
