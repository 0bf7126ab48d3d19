import { isBlobKey, requireBlobKey, requireByteRange } from './blob-arguments.ts';
import type { BlobReadOptions, Blobs, ByteRange } from '@modelwire/ports';
import { createRunningOperations } from '../work/running-operations.ts';

/** The operations of a storage of blobs. They are called with valid keys and ranges, and not after `close`. */
export interface BlobOperations {
  write(key: string, bytes: AsyncIterable<Uint8Array>, signal: AbortSignal | undefined): Promise<number>;
  read(key: string, range: ByteRange | undefined, options: BlobReadOptions): AsyncIterable<Uint8Array>;
  remove(keys: readonly string[]): Promise<void>;
  isEmpty?(): Promise<boolean | undefined>;
  /** Called before running writes and removals end, at the first `close`. */
  stop(): void;
  /** Called after running writes and removals have ended. */
  close?(): void;
  /** The error of an operation after `close`. */
  closedError(): Error;
}

const probePrefix = 'blob_probe';

/** Whether a key is that of a blob, and not one that a check left behind. */
export function isContentKey(key: string): boolean {
  return isBlobKey(key) && !key.startsWith(probePrefix);
}

/** Creates `Blobs` that check their arguments, refuse operations after `close`, and close when running writes and removals have ended. */
export function createBlobs(operations: BlobOperations): Blobs {
  const { track, ended } = createRunningOperations();
  let isClosed = false;
  const requireOpen = () => {
    if (isClosed) throw operations.closedError();
  };

  const write: Blobs['write'] = async (key, bytes, init) => {
    requireOpen();
    requireBlobKey(key);
    init?.signal?.throwIfAborted();
    return track(operations.write(key, bytes, init?.signal));
  };

  const remove: Blobs['remove'] = async (keys) => {
    requireOpen();
    for (const key of keys) requireBlobKey(key);
    await track(operations.remove(keys));
  };

  const { isEmpty } = operations;
  return {
    write,
    remove,
    ...(isEmpty && {
      async isEmpty() {
        requireOpen();
        return isEmpty();
      },
    }),
    async *read(key, range, options = {}) {
      requireOpen();
      requireBlobKey(key);
      requireByteRange(range);
      yield* operations.read(key, range, options);
    },
    async check() {
      const probe = `${probePrefix}${crypto.randomUUID().replaceAll('-', '')}`;
      await write(probe, new Blob(['probe']).stream());
      await remove([probe]);
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      operations.stop();
      await ended();
      operations.close?.();
    },
  };
}
