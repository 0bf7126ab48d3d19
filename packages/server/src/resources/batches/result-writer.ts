import type { BatchResult } from '@modelwire/ports';

/** Limits of one commit. */
const maxResultsPerCommit = 500;
const maxCommitLength = 4 * 1024 * 1024;
/** UTF-16 code units that may wait for a commit before no further lines are started. */
const maxPendingLength = 16 * 1024 * 1024;

interface ResultWriter {
  add(result: BatchResult): void;
  /** Number of results that are not stored yet. Their lines would be sent again after a crash. */
  unstoredCount(): number;
  /** False while too many results wait to be stored. */
  hasCapacity(): boolean;
  /** Resolves when all added results are stored, or storing has failed. */
  flush(): Promise<void>;
}

/** Stores results in few commits: those that arrive during a commit are stored together by the next one. */
export function createResultWriter(init: {
  /** Resolves when the results are durable. */
  readonly store: (results: readonly BatchResult[]) => Promise<void>;
  /** Called after each commit. */
  readonly onStored: () => void;
  /** Called when storing fails. Nothing is stored afterwards. */
  readonly onError: (error: unknown) => void;
}): ResultWriter {
  let pending: BatchResult[] = [];
  let pendingLength = 0;
  let inCommit = 0;
  let hasFailed = false;
  let running: Promise<void> | undefined;

  function takeCommit(): readonly BatchResult[] {
    let count = 0;
    let commitLength = 0;
    while (count < pending.length && count < maxResultsPerCommit && (count === 0 || commitLength < maxCommitLength)) {
      commitLength += pending[count++]?.text.length ?? 0;
    }
    pendingLength -= commitLength;
    const results = pending.slice(0, count);
    pending = pending.slice(count);
    return results;
  }
  async function run(): Promise<void> {
    // Results that arrive in the same event-loop turn share a commit.
    await Promise.resolve();
    try {
      while (pending.length > 0) {
        const results = takeCommit();
        inCommit = results.length;
        await init.store(results);
        inCommit = 0;
        init.onStored();
      }
    } catch (error) {
      hasFailed = true;
      init.onError(error);
    } finally {
      running = undefined;
    }
  }
  return {
    add(result) {
      if (hasFailed) return;
      pending.push(result);
      pendingLength += result.text.length;
      running ??= run();
    },
    unstoredCount: () => pending.length + inCommit,
    hasCapacity: () => pendingLength < maxPendingLength,
    flush: () => running ?? Promise.resolve(),
  };
}
