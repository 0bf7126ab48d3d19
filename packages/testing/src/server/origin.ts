import { AsyncLocalStorage } from 'node:async_hooks';

const requests = new AsyncLocalStorage<string>();

/** Marks what is done for a request, by its path (with or without a query). */
export function forRequest<Result>(path: string, run: () => Result): Result {
  return requests.run(path, run);
}

/** Whether an engine is asked by the server itself: nobody requested this completion, but somebody, once, a batch. */
export function insideBatch(): boolean {
  return requests.getStore()?.includes('/chat/completions') !== true;
}
