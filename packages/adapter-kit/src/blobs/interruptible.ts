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
 * @param startWatch Called with the first `next()`: its timers must not start before, since an iteration that does not begin does not end either.
 */
export async function* interruptible(
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  startWatch?: () => ChunkWatch,
): AsyncGenerator<Uint8Array, void, undefined> {
  const iterator = source[Symbol.asyncIterator]();
  const watch = startWatch?.();
  /** Also after the end and the failure of the source. */
  let isPending = false;
  // One listener for all chunks: racing with one promise would add a reaction to it for each chunk.
  let interrupt: ((reason: unknown) => void) | undefined;
  const onAbort = (): void => {
    watch?.end();
    interrupt?.(signal.reason);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  const readNext = () =>
    new Promise<IteratorResult<Uint8Array, unknown>>((resolve, reject) => {
      interrupt = reject;
      iterator.next().then(resolve, reject);
    });
  try {
    for (;;) {
      signal.throwIfAborted();
      isPending = true;
      const next = await readNext();
      if (next.done === true) return;
      isPending = false;
      watch?.receive(next.value.byteLength);
      yield next.value;
      watch?.resume();
    }
  } finally {
    watch?.end();
    signal.removeEventListener('abort', onAbort);
    if (!isPending || signal.aborted) {
      const returned = (async () => iterator.return?.())().catch(() => undefined);
      if (!isPending) await returned;
    }
  }
}
