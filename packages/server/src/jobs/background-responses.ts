/** The background responses that run on this server, and the streams that follow a response. */
export interface BackgroundResponses {
  /** Registers a response that runs here. Returns a function that ends the registration. */
  begin(id: string, abort: () => void): () => void;
  /** The response was cancelled or deleted: aborts it if it runs here. On other servers it loses its lease. */
  end(id: string): void;
  /** Events of the response were stored by this server. */
  notify(id: string): void;
  /** Calls back at each `notify` and `end`. Returns a function that ends the subscription. */
  follow(id: string, onChange: () => void): () => void;
}

export function createBackgroundResponses(): BackgroundResponses {
  const running = new Map<string, () => void>();
  const followers = new Map<string, Set<() => void>>();
  function notify(id: string): void {
    for (const onChange of followers.get(id) ?? []) onChange();
  }
  return {
    begin(id, abort) {
      running.set(id, abort);
      return () => {
        if (running.get(id) === abort) running.delete(id);
      };
    },
    end(id) {
      running.get(id)?.();
      notify(id);
    },
    notify,
    follow(id, onChange) {
      const all = followers.get(id) ?? new Set();
      followers.set(id, all.add(onChange));
      return () => {
        all.delete(onChange);
        if (all.size === 0 && followers.get(id) === all) followers.delete(id);
      };
    },
  };
}
