/**
 * The chunks of a stream. Leaving the loop cancels it, and so does the signal: it then ends early, or throws what the
 * stream throws. By its reader, since not all browsers can iterate a stream.
 */
export async function* readChunks<T>(
  stream: ReadableStream<T>,
  signal?: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  const reader = stream.getReader();
  const cancel = (): Promise<void> => reader.cancel(signal?.reason).catch(() => undefined);
  const onAbort = (): void => void cancel();
  let over = false;
  signal?.addEventListener('abort', onAbort);
  try {
    if (signal?.aborted === true) return;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        over = true;
        return;
      }
      yield value;
    }
  } catch (error) {
    over = true;
    throw error;
  } finally {
    signal?.removeEventListener('abort', onAbort);
    if (!over) await cancel();
    reader.releaseLock();
  }
}

/** A stream that asks for the next item when it is read, and never ahead. Cancelling it ends the iteration. */
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
