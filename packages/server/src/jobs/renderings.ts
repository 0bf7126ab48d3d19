/** The renderings that run on this server, so that deleting a video here aborts its rendering immediately. On other servers it loses its lease. */
export interface Renderings {
  /** Returns a function that ends the registration. */
  register(id: string, abort: () => void): () => void;
  abort(id: string): void;
}

export function createRenderings(): Renderings {
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
