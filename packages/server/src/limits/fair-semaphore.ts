/** Bounds how many lines are at work, over all batches of a server, and shares them out between projects. */
export interface FairSemaphore {
  /** Resolves when a line of this project may be asked, with what gives its turn back. Rejects with the signal's reason. */
  acquire(project: string, signal: AbortSignal): Promise<() => void>;
}

interface Share {
  atWork: number;
  /** Which of all turns it got last. */
  last: number;
  readonly waiting: Set<() => void>;
}

/**
 * The next turn goes to the project that has fewest lines at work, among those to the one that had none for longest, and within a project
 * to the line that has waited longest. So each project that has lines waiting has an equal share, however many batches it has.
 */
export function createFairSemaphore(most: number): FairSemaphore {
  /** Of projects that have lines at work or waiting. */
  const shares = new Map<string, Share>();
  let atWork = 0;
  let given = 0;

  function next(): void {
    if (atWork >= most) return;
    let first: Share | undefined;
    for (const share of shares.values()) {
      if (share.waiting.size === 0) continue;
      if (!first || share.atWork < first.atWork || (share.atWork === first.atWork && share.last < first.last))
        first = share;
    }
    if (!first) return;
    atWork++;
    first.atWork++;
    first.last = ++given;
    const [start] = first.waiting;
    start?.();
  }
  function forget(project: string): void {
    const share = shares.get(project);
    if (share?.atWork === 0 && share.waiting.size === 0) shares.delete(project);
  }
  return {
    acquire(project, signal) {
      return new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const share = shares.get(project) ?? { atWork: 0, last: 0, waiting: new Set() };
        shares.set(project, share);
        const settle = (): void => {
          share.waiting.delete(start);
          signal.removeEventListener('abort', onAbort);
        };
        const leave = (): void => {
          atWork--;
          share.atWork--;
          forget(project);
          next();
        };
        const start = (): void => {
          settle();
          resolve(leave);
        };
        const onAbort = (): void => {
          settle();
          forget(project);
          reject(signal.reason as Error);
        };
        signal.addEventListener('abort', onAbort, { once: true });
        share.waiting.add(start);
        next();
      });
    },
  };
}
