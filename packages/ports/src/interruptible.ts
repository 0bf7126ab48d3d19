/**
 * Iterates a source until `signal` aborts, also while the source has not answered. When the iteration ends early, the source is told. If it
 * still owes an answer, nothing waits for it, because a generator would learn of the end only afterwards.
 */
export async function* interruptible(
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  signal.throwIfAborted();
  const iterator = source[Symbol.asyncIterator]();
  let state: 'asked' | 'answered' | 'over' = 'answered';
  // One listener for all pieces: racing with one promise would add a reaction to it for each piece.
  let interrupt: (() => void) | undefined;
  const onAbort = () => interrupt?.();
  signal.addEventListener('abort', onAbort, { once: true });
  const ask = () =>
    new Promise<IteratorResult<Uint8Array, unknown>>((resolve, reject) => {
      signal.throwIfAborted();
      interrupt = () => reject(signal.reason as Error);
      state = 'asked';
      const answer = iterator.next().then(
        (next) => {
          state = next.done === true ? 'over' : 'answered';
          return next;
        },
        (error: unknown) => {
          state = 'over';
          throw error;
        },
      );
      answer.then(resolve, reject);
    });
  try {
    for (let next = await ask(); next.done !== true; next = await ask()) yield next.value;
  } finally {
    signal.removeEventListener('abort', onAbort);
    const owed = state as 'asked' | 'answered' | 'over';
    if (owed !== 'over') {
      const told = (async () => iterator.return?.())().catch(() => undefined);
      if (owed === 'answered') await told;
    }
  }
}
