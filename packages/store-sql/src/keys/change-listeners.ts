type Listener = (() => void) | (() => Promise<void>);

/** Listeners that are notified of changes through this store. */
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
