/** Runs `run` in turn with others of the same key, and at once without a key. */
export type InTurn = <Result>(key: string | undefined, run: () => Promise<Result>) => Promise<Result>;

interface Turns {
  running: number;
  readonly waiting: (() => void)[];
}

/** At most `limit` with the same key run at once; the others wait in the order of their calls. */
export function createTurns(limit: number): InTurn {
  const turnsOf = new Map<string, Turns>();
  return async (key, run) => {
    if (key === undefined) return run();
    const turns = turnsOf.get(key) ?? { running: 0, waiting: [] };
    turnsOf.set(key, turns);
    if (turns.running < limit) turns.running++;
    else await new Promise<void>((resolve) => turns.waiting.push(resolve));
    try {
      return await run();
    } finally {
      const next = turns.waiting.shift();
      if (next) next();
      else if (--turns.running === 0) turnsOf.delete(key);
    }
  };
}
