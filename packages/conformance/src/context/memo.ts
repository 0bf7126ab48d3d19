export type Memo<Value> = (name: string, create: () => Promise<Value>) => Promise<Value>;

/** Caches created objects by name, and failures, so that checks share them. */
export function memo<Value>(): Memo<Value> {
  const cache = new Map<string, Promise<Value>>();
  return (name, create) => {
    const cached = cache.get(name);
    if (cached) return cached;
    const promise = create();
    // Callers get the rejection; an unhandled one must not end the process.
    promise.catch(() => undefined);
    cache.set(name, promise);
    return promise;
  };
}
