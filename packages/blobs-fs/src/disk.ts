import { FsBlobsError, withErrorContext } from './failure.ts';
import type { Folder } from './folder.ts';

/**
 * The operations of one file system, with a timeout: a network file system whose server is gone blocks an operation forever,
 * and the operation cannot be cancelled.
 */
export interface Disk {
  /**
   * Runs an operation and describes system errors. After a timeout the operation continues; `onLate` gets its result, if any,
   * to undo it.
   * @throws {FsBlobsError} with the code `ETIMEDOUT` after `timeoutMs`, and immediately while several timed-out operations are
   * still running: each blocks one of Node's few threads for files and host names.
   */
  run<Value>(failureMessage: string, operation: () => Promise<Value>, onLate?: (value: Value) => void): Promise<Value>;
}

/** The folder of the bytes and the file system operations. */
export interface FsStorage {
  readonly folder: Folder;
  readonly disk: Disk;
}

/** Half of the threads that Node has by default. */
const maxHangingOperations = 2;

export function createDisk(timeoutMs: number): Disk {
  let hangingOperations = 0;

  return {
    run(failureMessage, operation, onLate) {
      return new Promise((resolve, reject) => {
        if (hangingOperations >= maxHangingOperations) {
          reject(createTimeoutError(failureMessage));
          return;
        }
        let hasTimedOut = false;
        const timer = setTimeout(() => {
          hasTimedOut = true;
          hangingOperations++;
          reject(createTimeoutError(failureMessage));
        }, timeoutMs);
        const settle = (): void => {
          clearTimeout(timer);
          if (hasTimedOut) hangingOperations--;
        };
        const result = withErrorContext(failureMessage, operation);
        result.finally(settle).then((value) => {
          if (hasTimedOut) onLate?.(value);
          else resolve(value);
        }, reject);
      });
    },
  };
}

function createTimeoutError(failureMessage: string): FsBlobsError {
  return new FsBlobsError(`${failureMessage}: the file system does not respond (ETIMEDOUT)`, { code: 'ETIMEDOUT' });
}

/** Whether the operation with this error may still be running. */
function isTimeout(error: unknown): boolean {
  return error instanceof FsBlobsError && error.code === 'ETIMEDOUT' && error.cause === undefined;
}

/**
 * Cleans up and waits for it. After a timeout it only starts the cleanup, which finishes when the file system responds again.
 */
export async function cleanUp(
  disk: Disk,
  { failureMessage, earlierError }: { readonly failureMessage: string; readonly earlierError: unknown },
  operation: () => Promise<void>,
): Promise<void> {
  if (isTimeout(earlierError)) operation().catch(() => undefined);
  else await disk.run(failureMessage, operation);
}
