import { useSyncExternalStore } from 'react';

let reachable = true;
const listeners = new Set<() => void>();

function set(value: boolean): void {
  if (reachable === value) return;
  reachable = value;
  for (const listener of listeners) listener();
}

/** Call it when a request failed without a response. */
export function markUnreachable(): void {
  set(false);
}

/** Call it when the server responds again. */
export function markReachable(): void {
  set(true);
}

/** Whether the server responded to the last request. */
export function useReachable(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => reachable,
  );
}
