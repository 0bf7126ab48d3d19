import { resolve } from 'node:path';
import type { Blobs } from '@modelwire/ports';
import { createBlobs } from '@modelwire/adapter-kit';
import { createDisk } from './disk.ts';
import type { FsStorage } from './disk.ts';
import { FsBlobsError } from './failure.ts';
import { openFolder } from './folder.ts';
import { readBlob } from './read.ts';
import { removeBlobs } from './remove.ts';
import { writeBlob } from './write.ts';

export interface FsBlobsOptions {
  /** The folder. Created if missing, accessible only to this user. */
  readonly path: string;
  /**
   * Milliseconds after which a partial file without a write is considered to belong to a dead process and is removed. A write
   * whose source waits longer than that fails. Default 24 hours.
   */
  readonly abandonedAfterMs?: number | undefined;
  /**
   * Milliseconds that one file system operation (such as a piece of 256 KiB) may take before the read, write or removal fails
   * as an outage. Default 30,000.
   */
  readonly timeoutMs?: number | undefined;
}

const maxTimeoutMs = 3_600_000;

const hourMs = 3_600_000;

/**
 * Opens blobs in a local folder. Several processes can use it concurrently.
 * A resolved write is complete and durable; a key is never overwritten. Memory does not grow with the size: two pieces of 256
 * KiB for each write and each read.
 * @throws {FsBlobsError} when the folder cannot be created or is not writable.
 */
export async function openFsBlobs(options: FsBlobsOptions): Promise<Blobs> {
  const { path, abandonedAfterMs = 24 * hourMs, timeoutMs = 30_000 } = options;
  if (typeof path !== 'string' || path === '') throw new TypeError('path must be the path of a folder');
  if (!Number.isFinite(abandonedAfterMs) || abandonedAfterMs < 0) {
    throw new TypeError('abandonedAfterMs must be a number of at least 0');
  }
  if (!Number.isSafeInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > maxTimeoutMs) {
    throw new TypeError(`timeoutMs must be an integer from 1 to ${maxTimeoutMs}`);
  }
  const disk = createDisk(timeoutMs);
  const folder = await disk.run('the folder is not usable', async () => {
    const opened = await openFolder(resolve(path));
    await opened.removeAbandoned(abandonedAfterMs);
    return opened;
  });
  // Files that cannot be removed now are retried after an hour.
  const cleanupTimer = setInterval(
    () => void folder.removeAbandoned(abandonedAfterMs).catch(() => undefined),
    hourMs,
  ).unref();
  return fsBlobs({ folder, disk }, () => clearInterval(cleanupTimer));
}

function fsBlobs(storage: FsStorage, stop: () => void): Blobs {
  const { folder, disk } = storage;
  return createBlobs({
    write: (key, bytes, signal) => writeBlob(storage, key, bytes, signal),
    read: (key, range, { reusesMemory }) => readBlob(disk, folder.resolvePath(key), { key, range, reusesMemory }),
    remove: (keys) => removeBlobs(storage, keys),
    isEmpty: () => disk.run('the folder cannot be read', () => folder.isEmpty()),
    stop,
    closedError: () => new FsBlobsError('The blobs are closed.', { code: 'CLOSED' }),
  });
}
