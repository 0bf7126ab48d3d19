/** The streams on this server that follow a background response. */
export interface ResponseEvents {
  /** The response was changed by this server: events of it were stored, or it was cancelled or deleted. */
  notify(id: string): void;
  /** Calls back at each `notify`. Returns a function that ends the subscription. */
  subscribe(id: string, onChange: () => void): () => void;
}

export function createResponseEvents(): ResponseEvents {
  const subscribers = new Map<string, Set<() => void>>();
  return {
    notify(id) {
      for (const onChange of subscribers.get(id) ?? []) onChange();
    },
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
