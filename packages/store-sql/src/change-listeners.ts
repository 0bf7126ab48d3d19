type Listener = (() => void) | (() => Promise<void>);

/** Those who are told that records were changed through this store. */
export function changeListeners() {
  const listeners: Listener[] = [];
  return {
    onChange: (listener: Listener): void => void listeners.push(listener),
    /** Resolves once all listeners are done. */
    async changed(): Promise<void> {
      await Promise.all(listeners.map(async (listener) => listener()));
    },
  };
}
