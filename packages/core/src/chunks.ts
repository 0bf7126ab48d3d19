/** The chunks of a stream. Leaving the loop cancels it. By its reader, since not all browsers can iterate a stream. */
export async function* readChunks<T>(stream: ReadableStream<T>): AsyncGenerator<T, void, undefined> {
  const reader = stream.getReader();
  let over = false;
  try {
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
    if (!over) await reader.cancel().catch(() => undefined);
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
