/** The renderings of this server, so that a video that is deleted here is ended at once. Elsewhere its lease ends it. */
export interface Renderings {
  /** Gives what ends the registration. */
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
