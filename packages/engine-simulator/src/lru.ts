/** A small map that forgets what was not asked for longest, bounded by entries and by what they weigh. */
export interface Lru<V> {
  get(key: string): V | undefined;
  set(key: string, value: V, weight: number): void;
}

export function lru<V>(maxEntries: number, maxWeight: number): Lru<V> {
  const entries = new Map<string, { readonly value: V; readonly weight: number }>();
  let total = 0;
  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value, weight) {
      if (weight > maxWeight) return;
      const old = entries.get(key);
      if (old !== undefined) {
        total -= old.weight;
        entries.delete(key);
      }
      entries.set(key, { value, weight });
      total += weight;
      for (const [oldest, entry] of entries) {
        if (entries.size <= maxEntries && total <= maxWeight) break;
        entries.delete(oldest);
        total -= entry.weight;
      }
    },
  };
}
