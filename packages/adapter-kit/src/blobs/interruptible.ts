/**
 * Iterates a source until `signal` aborts, also while `next()` of the source is pending. When the iteration ends early, `return()` of the
 * source is called. If `next()` is pending then, nothing waits for `return()`, because a generator runs it only afterwards.
 */
export async function* interruptible(
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  signal.throwIfAborted();
  const iterator = source[Symbol.asyncIterator]();
  let state: 'pending' | 'idle' | 'done' = 'idle';
  // One listener for all pieces: racing with one promise would add a reaction to it for each piece.
  let interrupt: (() => void) | undefined;
  const onAbort = () => interrupt?.();
  signal.addEventListener('abort', onAbort, { once: true });
  const readNext = () =>
    new Promise<IteratorResult<Uint8Array, unknown>>((resolve, reject) => {
      signal.throwIfAborted();
      interrupt = () => reject(signal.reason as Error);
      state = 'pending';
      const result = iterator.next().then(
        (next) => {
          state = next.done === true ? 'done' : 'idle';
          return next;
        },
        (error: unknown) => {
          state = 'done';
          throw error;
        },
      );
      result.then(resolve, reject);
    });
  try {
    for (let next = await readNext(); next.done !== true; next = await readNext()) yield next.value;
  } finally {
    signal.removeEventListener('abort', onAbort);
    const lastState = state as 'pending' | 'idle' | 'done';
    if (lastState !== 'done') {
      const returned = (async () => iterator.return?.())().catch(() => undefined);
      if (lastState === 'idle') await returned;
    }
  }
}
