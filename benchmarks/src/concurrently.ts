/** Works on all items, on at most `limit` at once, in their order. */
export async function concurrently<Item>(
  items: Iterable<Item>,
  limit: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const rest = items[Symbol.iterator]();
  const worker = async () => {
    for (let next = rest.next(); next.done !== true; next = rest.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: limit }, worker));
}

/** The integers from `from` up to, and not including, `to`. */
export function* range(from: number, to: number): Generator<number, void> {
  for (let index = from; index < to; index++) yield index;
}
