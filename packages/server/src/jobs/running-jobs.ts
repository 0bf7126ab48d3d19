/**
 * The jobs that run on this server, so that a client that deletes or cancels here what a job works on aborts it immediately. On other servers
 * the job loses its lease.
 */
export interface RunningJobs {
  /** Returns a function that ends the registration. */
  register(id: string, abort: () => void): () => void;
  abort(id: string): void;
}

export function createRunningJobs(): RunningJobs {
  const running = new Map<string, () => void>();
  return {
    register(id, abort) {
      running.set(id, abort);
      return () => {
        if (running.get(id) === abort) running.delete(id);
      };
    },
    abort: (id) => running.get(id)?.(),
  };
}
