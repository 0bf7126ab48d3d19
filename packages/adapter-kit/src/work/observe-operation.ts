import type { StorageObserver } from '@modelwire/ports';

/** Runs a storage operation, and reports its start and outcome to the observer. */
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
