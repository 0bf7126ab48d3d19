export type Memo<Value> = (name: string, make: () => Promise<Value>) => Promise<Value>;

/** Remembers what was made under a name, and that it failed, so that checks share it. */
export function memo<Value>(): Memo<Value> {
  const made = new Map<string, Promise<Value>>();
  return (name, make) => {
    const known = made.get(name);
    if (known) return known;
    const promise = make();
    // Whoever asks is told; nobody may.
    promise.catch(() => undefined);
    made.set(name, promise);
    return promise;
  };
}
