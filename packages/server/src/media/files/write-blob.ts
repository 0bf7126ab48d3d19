import type { ServerContext } from '../../context.ts';
import { randomBlobKey } from '../../ids.ts';
import type { BlobSegment } from '@modelwire/ports';
import { blobStorage } from './storage.ts';

/** Milliseconds within which a record must take over the written bytes. No upload takes as long. */
const reservationMs = 86_400_000;

/** Milliseconds that bytes remain after their record was deleted, so that running reads can finish. */
export const blobDeletionDelayMs = 600_000;

/** Writes bytes for a record that is created afterwards. A failure leaves nothing behind. */
export async function writeBlob(
  server: Pick<ServerContext, 'options'>,
  bytes: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): Promise<BlobSegment> {
  const { blobs, ledger } = blobStorage(server);
  const key = randomBlobKey();
  await ledger.reserve(key, reservationMs);
  try {
    return { key, bytes: await blobs.write(key, bytes, signal && { signal }) };
  } catch (error) {
    await discardBlobs(server, [key]);
    throw error;
  }
}

/** Releases bytes that no record takes. If that fails, their reservation expires. */
export async function discardBlobs(server: Pick<ServerContext, 'options'>, keys: readonly string[]): Promise<void> {
  const { ledger } = blobStorage(server);
  try {
    for (const key of keys) await ledger.release(key);
  } catch (error) {
    server.options.report('unreferenced blobs were not released', error);
  }
}
