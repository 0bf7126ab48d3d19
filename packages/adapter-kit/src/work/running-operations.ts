/** The operations of an adapter that have not ended. */
export interface RunningOperations {
  /** Settles as the operation does. */
  track<Result>(operation: Promise<Result>): Promise<Result>;
  /** Resolves when all of them have ended, successfully or not. */
  ended(): Promise<void>;
}

/** Tracks the operations of an adapter, which waits for them when it is closed. */
export function createRunningOperations(): RunningOperations {
  const running = new Set<Promise<unknown>>();
  return {
    async track(operation) {
      running.add(operation);
      try {
        return await operation;
      } finally {
        running.delete(operation);
      }
    },
    async ended() {
      await Promise.allSettled(running);
    },
  };
}
