/** The renderings that run on this server, so that deleting a video here aborts its rendering immediately. On other servers it loses its lease. */
export interface Renderings {
  /** Returns a function that ends the registration. */
  begin(id: string, abort: () => void): () => void;
  end(id: string): void;
}

export function createRenderings(): Renderings {
  const running = new Map<string, () => void>();
  return {
    begin(id, abort) {
      running.set(id, abort);
      return () => {
        if (running.get(id) === abort) running.delete(id);
      };
    },
    end: (id) => running.get(id)?.(),
  };
}
