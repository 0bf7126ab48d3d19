import { useSyncExternalStore } from 'react';

let isReachable = true;
const listeners = new Set<() => void>();

function setReachable(value: boolean): void {
  if (isReachable === value) return;
  isReachable = value;
  for (const listener of listeners) listener();
}

/** Must be called when a request fails without a response. */
export function markUnreachable(): void {
  setReachable(false);
}

/** Must be called when the server responds again. */
export function markReachable(): void {
  setReachable(true);
}

/** Whether the server responded to the last request. */
export function useIsReachable(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isReachable,
  );
}
