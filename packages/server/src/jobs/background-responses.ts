/** The background responses that run on this server, and the streams that follow a response. */
export interface BackgroundResponses {
  /** Registers a response that runs here. Returns a function that ends the registration. */
  register(id: string, abort: () => void): () => void;
  /** The response was cancelled or deleted: aborts it if it runs here. On other servers it loses its lease. */
  abort(id: string): void;
  /** Events of the response were stored by this server. */
  notify(id: string): void;
  /** Calls back at each `notify` and `abort`. Returns a function that ends the subscription. */
  subscribe(id: string, onChange: () => void): () => void;
}

export function createBackgroundResponses(): BackgroundResponses {
  const running = new Map<string, () => void>();
  const subscribers = new Map<string, Set<() => void>>();
  function notify(id: string): void {
    for (const onChange of subscribers.get(id) ?? []) onChange();
  }
  return {
    register(id, abort) {
      running.set(id, abort);
      return () => {
        if (running.get(id) === abort) running.delete(id);
      };
    },
    abort(id) {
      running.get(id)?.();
      notify(id);
    },
    notify,
    subscribe(id, onChange) {
      const listeners = subscribers.get(id) ?? new Set();
      subscribers.set(id, listeners.add(onChange));
      return () => {
        listeners.delete(onChange);
        if (listeners.size === 0 && subscribers.get(id) === listeners) subscribers.delete(id);
      };
    },
  };
}
