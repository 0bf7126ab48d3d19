/** Limits how many batch lines run at once, over all batches of a server, and shares the permits fairly between projects. */
export interface FairSemaphore {
  /** Resolves with a function that releases the permit, once a line of this project may run. Rejects with the signal's reason. */
  acquire(project: string, signal: AbortSignal): Promise<() => void>;
}

interface Share {
  running: number;
  /** Sequence number of the last permit that the project got. */
  lastPermit: number;
  readonly waiting: Set<() => void>;
}

/**
 * The next permit goes to the project with the fewest running lines, among those to the one that has waited longest for a permit, and
 * within a project to the line that has waited longest. So each project with waiting lines has an equal share, however many batches it has.
 */
export function createFairSemaphore(permits: number): FairSemaphore {
  /** Projects with running or waiting lines. */
  const shares = new Map<string, Share>();
  let totalRunning = 0;
  let grantedPermits = 0;

  function startNext(): void {
    if (totalRunning >= permits) return;
    let next: Share | undefined;
    for (const share of shares.values()) {
      if (share.waiting.size === 0) continue;
      if (
        !next ||
        share.running < next.running ||
        (share.running === next.running && share.lastPermit < next.lastPermit)
      )
        next = share;
    }
    if (!next) return;
    totalRunning++;
    next.running++;
    next.lastPermit = ++grantedPermits;
    const [start] = next.waiting;
    start?.();
  }
  function deleteIfIdle(project: string): void {
    const share = shares.get(project);
    if (share?.running === 0 && share.waiting.size === 0) shares.delete(project);
  }
  return {
    acquire(project, signal) {
      return new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const share = shares.get(project) ?? { running: 0, lastPermit: 0, waiting: new Set() };
        shares.set(project, share);
        const settle = (): void => {
          share.waiting.delete(start);
          signal.removeEventListener('abort', onAbort);
        };
        const release = (): void => {
          totalRunning--;
          share.running--;
          deleteIfIdle(project);
          startNext();
        };
        const start = (): void => {
          settle();
          resolve(release);
        };
        const onAbort = (): void => {
          settle();
          deleteIfIdle(project);
          reject(signal.reason as Error);
        };
        signal.addEventListener('abort', onAbort, { once: true });
        share.waiting.add(start);
        startNext();
      });
    },
  };
}
