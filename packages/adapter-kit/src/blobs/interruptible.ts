/** Observes an iteration, for instance to measure how fast chunks arrive. */
export interface ChunkWatch {
  /** A chunk has arrived. The time until `resume` does not count. */
  receive(bytes: number): void;
  /** The next chunk is awaited. */
  resume(): void;
  /** The iteration has ended, or the signal has aborted. */
  end(): void;
}

/**
 * Iterates a source until `signal` aborts, also while `next()` of the source is pending. When the iteration ends early, `return()` of the
 * source is called. If `next()` is pending then, nothing waits for `return()`, because a generator runs it only afterwards.
 *
 * @param startWatch Called when the iteration begins.
 */
export async function* interruptible(
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  startWatch?: () => ChunkWatch,
): AsyncGenerator<Uint8Array, void, undefined> {
  signal.throwIfAborted();
  const iterator = source[Symbol.asyncIterator]();
  const watch = startWatch?.();
  let isPending = false;
  let hasEnded = false;
  // One listener for all chunks: racing with one promise would add a reaction to it for each chunk.
  let interrupt: ((reason: unknown) => void) | undefined;
  const onAbort = (): void => {
    watch?.end();
    interrupt?.(signal.reason);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  const readNext = () =>
    new Promise<IteratorResult<Uint8Array, unknown>>((resolve, reject) => {
      signal.throwIfAborted();
      interrupt = reject;
      isPending = true;
      iterator.next().then(resolve, reject);
    });
  try {
    for (;;) {
      const next = await readNext();
      isPending = false;
      hasEnded = next.done === true;
      if (next.done === true) return;
      watch?.receive(next.value.byteLength);
      yield next.value;
      watch?.resume();
    }
  } finally {
    watch?.end();
    signal.removeEventListener('abort', onAbort);
    if (!hasEnded) {
      const returned = (async () => iterator.return?.())().catch(() => undefined);
      if (!isPending) await returned;
    }
  }
}
