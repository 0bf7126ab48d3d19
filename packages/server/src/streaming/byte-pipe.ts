/** The reader's end of a body of bytes. */
export interface BytePipe {
  /** The next piece; undefined at the end. Rejects when there is no going on: the answer then breaks off. */
  next(): Promise<Uint8Array | undefined>;
  /** The reader leaves. */
  cancel(reason: unknown): void;
  /** Calls back when the reader took nothing for too long and was let go: what it has is not whole. */
  onStall(tell: () => void): void;
  /** Resolves when the source has ended or is not read any more; with the failure when it failed. Never rejects. */
  readonly done: Promise<unknown>;
}

export interface BytePipeOptions {
  readonly source: AsyncIterable<Uint8Array>;
  /** Milliseconds that a piece may wait for the reader to come back for more. */
  readonly stallMs: number;
}

/**
 * Bytes between a source and one reader: the source is asked only when the reader is, and its iteration ends when the reader
 * leaves or stalls. Resolves when the first piece is there, so that a source that cannot be read is still an HTTP status.
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
    // What the source does about it is its own affair.
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
    onStall(tell) {
      stalled = tell;
    },
    done: done.promise,
  };
}
