import type { Blobs } from '@modelwire/ports';
import { createBlobs, createSemaphore } from '@modelwire/adapter-kit';
import { removeAbandoned } from './abandoned.ts';
import { createS3Client } from './client.ts';
import type { S3Client } from './client.ts';
import { S3BlobsError } from './failure.ts';
import { withCredentials } from './find-credentials.ts';
import { isBucketEmpty } from './is-bucket-empty.ts';
import { resolveOptions } from './options.ts';
import type { S3BlobsOptions, S3Settings } from './options.ts';
import { createBufferPool } from './parts.ts';
import { readBlob } from './read.ts';
import { removeBlobs } from './remove.ts';
import { writeBlob } from './write.ts';
import type { WriteContext } from './write.ts';

const cleanupIntervalMs = 6 * 3_600_000;

/**
 * Opens blobs in one bucket of an S3-compatible server. Any number of processes can use the bucket concurrently.
 * Writes are atomic: a single request up to `partBytes`, a multipart upload above. Memory does not grow with the size: one part
 * for each running write and `partsInFlight` for all together. Opening sends no request that must succeed: `check` tests
 * whether the bucket is usable.
 * @throws {TypeError} for invalid options, and without credentials.
 */
export async function openS3Blobs(options: S3BlobsOptions): Promise<Blobs> {
  const settings = resolveOptions(await withCredentials(options));
  const client = createS3Client(settings);
  const closing = new AbortController();
  const cleanUp = () =>
    void removeAbandoned(client, settings.prefix, settings.abandonedAfterMs, closing.signal).catch(() => undefined);
  cleanUp();
  const cleanupTimer = setInterval(cleanUp, cleanupIntervalMs).unref();
  return createS3Blobs(client, settings, () => {
    clearInterval(cleanupTimer);
    closing.abort();
  });
}

function createS3Blobs(client: S3Client, settings: S3Settings, stop: () => void): Blobs {
  const { partBytes, partsInFlight } = settings;
  const context: WriteContext = {
    client,
    partBytes,
    buffers: createBufferPool(partBytes, partsInFlight),
    semaphore: createSemaphore(partsInFlight),
    conditionalWrites: { isSupported: true },
  };
  return createBlobs({
    write: (key, bytes, signal) => writeBlob(context, key, bytes, signal),
    read: (key, range) => readBlob(client, key, range, settings.attempts),
    remove: (keys) => removeBlobs(client, keys),
    isEmpty: () => isBucketEmpty(client, settings.prefix),
    stop,
    close: () => client.close(),
    closedError: () => new S3BlobsError('The blobs are closed.', { code: 'CLOSED' }),
  });
}
