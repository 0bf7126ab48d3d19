export type Memo<Value> = (name: string, make: () => Promise<Value>) => Promise<Value>;

/** Caches created objects by name, and failures, so that checks share them. */
export function memo<Value>(): Memo<Value> {
  const made = new Map<string, Promise<Value>>();
  return (name, make) => {
    const known = made.get(name);
    if (known) return known;
    const promise = make();
    // Callers get the rejection; an unhandled one must not end the process.
    promise.catch(() => undefined);
    made.set(name, promise);
    return promise;
  };
}
