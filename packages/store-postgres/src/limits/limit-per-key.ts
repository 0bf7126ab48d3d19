/** Runs `run`, at once without a key; otherwise once fewer than the limit with the same key are running. */
export type LimitPerKey = <Result>(key: string | undefined, run: () => Promise<Result>) => Promise<Result>;

interface Calls {
  running: number;
  readonly waiting: (() => void)[];
}

/** At most `limit` calls with the same key run at once; the others wait in their order. */
export function createLimitPerKey(limit: number): LimitPerKey {
  const callsOf = new Map<string, Calls>();
  return async (key, run) => {
    if (key === undefined) return run();
    const calls = callsOf.get(key) ?? { running: 0, waiting: [] };
    callsOf.set(key, calls);
    if (calls.running < limit) calls.running++;
    else await new Promise<void>((resolve) => calls.waiting.push(resolve));
    try {
      return await run();
    } finally {
      const next = calls.waiting.shift();
      if (next) next();
      else if (--calls.running === 0) callsOf.delete(key);
    }
  };
}
