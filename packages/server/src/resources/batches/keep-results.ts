import type { BatchResult } from '@modelwire/ports';

/** Most that one commit holds. */
const maxResults = 500;
const maxLength = 4 * 1024 * 1024;
/** What may wait for a commit, in characters: an engine that is faster than the store waits for it. */
const maxWaiting = 16 * 1024 * 1024;

export interface KeepResults {
  add(result: BatchResult): void;
  /** How many are not kept yet: what an engine has answered, and would be asked again after a crash. */
  unkept(): number;
  /** False while too much waits to be kept. */
  hasRoom(): boolean;
  /** Resolves when all that was added is kept, or keeping has failed. */
  flush(): Promise<void>;
}

/** Keeps results in as few commits as there is time for: what is ready while one is under way goes into the next. */
export function keepResults(init: {
  /** Resolves when they are there to stay. */
  readonly keep: (results: readonly BatchResult[]) => Promise<void>;
  /** There is room again. */
  readonly kept: () => void;
  /** No more is kept. */
  readonly failed: (error: unknown) => void;
}): KeepResults {
  let pending: BatchResult[] = [];
  let length = 0;
  let inCommit = 0;
  let broken = false;
  let keeping: Promise<void> | undefined;

  function next(): readonly BatchResult[] {
    let count = 0;
    let taken = 0;
    while (count < pending.length && count < maxResults && (count === 0 || taken < maxLength)) {
      taken += pending[count++]?.text.length ?? 0;
    }
    length -= taken;
    const some = pending.slice(0, count);
    pending = pending.slice(count);
    return some;
  }
  async function run(): Promise<void> {
    // Lines that end in the same turn are kept together.
    await Promise.resolve();
    try {
      while (pending.length > 0) {
        const some = next();
        inCommit = some.length;
        await init.keep(some);
        inCommit = 0;
        init.kept();
      }
    } catch (error) {
      broken = true;
      init.failed(error);
    } finally {
      keeping = undefined;
    }
  }
  return {
    add(result) {
      if (broken) return;
      pending.push(result);
      length += result.text.length;
      keeping ??= run();
    },
    unkept: () => pending.length + inCommit,
    hasRoom: () => length < maxWaiting,
    flush: () => keeping ?? Promise.resolve(),
  };
}
