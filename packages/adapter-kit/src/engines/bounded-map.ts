/**
 * A map with a maximum total size of its entries. The least recently set entries are evicted first: when all together exceed the maximum, as
 * many as must go, and further ones as long as seven eighths of it stay in use.
 */
export interface BoundedMap<Key, Value> {
  get(key: Key): Value | undefined;
  /**
   * Sets a value, which becomes the most recently set one. `size` is 1 by default. A value that is larger than the maximum is not kept:
   * it only removes the previous value of its key.
   */
  set(key: Key, value: Value, size?: number): void;
}

export function createBoundedMap<Key, Value>(maxSize: number): BoundedMap<Key, Value> {
  const entries = new Map<Key, { readonly value: Value; readonly size: number }>();
  let total = 0;
  const remove = (key: Key): void => {
    total -= entries.get(key)?.size ?? 0;
    entries.delete(key);
  };
  /** Evicts many entries at once, because V8 passes the places of all deleted ones to reach the first. */
  const evict = (): void => {
    for (const [key, { size }] of entries) {
      if (total <= maxSize && total - size < (maxSize * 7) / 8) return;
      remove(key);
    }
  };
  return {
    get: (key) => entries.get(key)?.value,
    set(key, value, size = 1) {
      remove(key);
      if (size > maxSize) return;
      entries.set(key, { value, size });
      total += size;
      if (total > maxSize) evict();
    },
  };
}
