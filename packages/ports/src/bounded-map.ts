/** A map with a maximum total size of its entries. The entries that were set the longest ago are dropped first. */
export interface BoundedMap<Key, Value> {
  get(key: Key): Value | undefined;
  /** Sets a value, which becomes the newest. `size` is 1 by default. */
  set(key: Key, value: Value, size?: number): void;
}

export function createBoundedMap<Key, Value>(maxSize: number): BoundedMap<Key, Value> {
  const entries = new Map<Key, { readonly value: Value; readonly size: number }>();
  let total = 0;
  const remove = (key: Key): void => {
    total -= entries.get(key)?.size ?? 0;
    entries.delete(key);
  };
  return {
    get: (key) => entries.get(key)?.value,
    set(key, value, size = 1) {
      remove(key);
      entries.set(key, { value, size });
      total += size;
      for (const oldest of entries.keys()) {
        if (total <= maxSize) break;
        remove(oldest);
      }
    },
  };
}
