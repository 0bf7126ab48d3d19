/**
 * The chunks of a stream. Leaving the loop or aborting the signal cancels the stream; the loop then ends early, or throws what
 * the stream throws. Uses a reader, since not all browsers can iterate a stream.
 */
export async function* readChunks<T>(
  stream: ReadableStream<T>,
  signal?: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  const reader = stream.getReader();
  const cancel = (): Promise<void> => reader.cancel(signal?.reason).catch(() => undefined);
  const onAbort = (): void => void cancel();
  let hasEnded = false;
  signal?.addEventListener('abort', onAbort);
  try {
    if (signal?.aborted === true) return;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        hasEnded = true;
        return;
      }
      yield value;
    }
  } catch (error) {
    hasEnded = true;
    throw error;
  } finally {
    signal?.removeEventListener('abort', onAbort);
    if (!hasEnded) await cancel();
    reader.releaseLock();
  }
}

/** A stream that pulls the next item when it is read, and never ahead. Cancelling it ends the iteration. */
export function toStream<T>(items: AsyncIterable<T>): ReadableStream<T> {
  const iterator = items[Symbol.asyncIterator]();
  return new ReadableStream<T>(
    {
      async pull(controller) {
        const next = await iterator.next();
        if (next.done === true) controller.close();
        else controller.enqueue(next.value);
      },
      async cancel() {
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
