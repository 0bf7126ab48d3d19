import type { ResponseReader } from '@modelwire/core';

/** A reader that returns what `map` makes of the body that `reader` has read. */
export function mapReader<T, U>(reader: ResponseReader<T>, map: (value: T) => U): ResponseReader<U> {
  return { ...reader, read: async (exchange, retries) => map(await reader.read(exchange, retries)) };
}
