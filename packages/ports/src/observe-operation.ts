import type { StorageObserver } from './observer.ts';

/** Runs an operation of a storage, and tells the observer when it starts and how it ends. */
export async function observeOperation<Result>(
  observer: StorageObserver,
  operation: string,
  run: () => Promise<Result>,
): Promise<Result> {
  const observation = observer.startOperation(operation);
  try {
    const result = await run();
    observation.end({});
    return result;
  } catch (error) {
    observation.end({ error });
    throw error;
  }
}
