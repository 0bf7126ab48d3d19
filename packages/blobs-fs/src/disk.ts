import { FsBlobsError, saying } from './failure.ts';
import type { Folder } from './folder.ts';

/**
 * The operations of one file system, bounded in time: a network file system whose server is gone keeps an operation for ever, and
 * cannot be asked to end it.
 */
export interface Disk {
  /**
   * Runs an operation and puts errors of the system in words. An operation that takes too long goes on; `onLate` is given its result if
   * it has one in the end, to undo it.
   *
   * @throws {FsBlobsError} with the code `ETIMEDOUT` after `timeoutMs`, and at once while several operations that timed out are running:
   * each holds one of the few threads that Node has for files and host names.
   */
  run<Value>(doing: string, operation: () => Promise<Value>, onLate?: (value: Value) => void): Promise<Value>;
}

/** Where bytes are kept, and how it is reached. */
export interface FsStorage {
  readonly folder: Folder;
  readonly disk: Disk;
}

/** Half of the threads that Node has by default. */
const maxHangingOperations = 2;

export function createDisk(timeoutMs: number): Disk {
  let hangingOperations = 0;

  return {
    run(doing, operation, onLate) {
      return new Promise((resolve, reject) => {
        if (hangingOperations >= maxHangingOperations) {
          reject(timedOut(doing));
          return;
        }
        let hasTimedOut = false;
        const timer = setTimeout(() => {
          hasTimedOut = true;
          hangingOperations++;
          reject(timedOut(doing));
        }, timeoutMs);
        const settle = (): void => {
          clearTimeout(timer);
          if (hasTimedOut) hangingOperations--;
        };
        const running = saying(doing, operation);
        running.finally(settle).then((value) => {
          if (hasTimedOut) onLate?.(value);
          else resolve(value);
        }, reject);
      });
    },
  };
}

function timedOut(doing: string): FsBlobsError {
  return new FsBlobsError(`${doing}: the file system does not answer (ETIMEDOUT)`, { code: 'ETIMEDOUT' });
}

/** Whether the operation that failed so may still be running. */
function isTimeout(error: unknown): boolean {
  return error instanceof FsBlobsError && error.code === 'ETIMEDOUT' && error.cause === undefined;
}

/** Cleans up, and waits for it; after a timeout it is begun only, and done when the file system answers again. */
export async function cleanUp(
  disk: Disk,
  { doing, after }: { readonly doing: string; readonly after: unknown },
  work: () => Promise<void>,
): Promise<void> {
  if (isTimeout(after)) work().catch(() => undefined);
  else await disk.run(doing, work);
}
