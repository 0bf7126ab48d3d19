import type { ServerContext } from '../../context.ts';
import { randomBlobKey } from '../../ids.ts';
import type { BlobSegment } from '@modelwire/ports';
import { blobStorage } from './bytes-of.ts';

/** Milliseconds within which a record must have taken the bytes that were written for it. No sending may take as long. */
const reservedForMs = 86_400_000;

/** Milliseconds that bytes outlast the record they were of, so that those who read them come to the end. */
export const bytesLingerMs = 600_000;

/** Writes bytes for a record that is about to be made. What fails leaves nothing behind. */
export async function writeBlob(
  server: Pick<ServerContext, 'options'>,
  bytes: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): Promise<BlobSegment> {
  const { blobs, ledger } = blobStorage(server);
  const key = randomBlobKey();
  await ledger.reserve(key, reservedForMs);
  try {
    return { key, bytes: await blobs.write(key, bytes, signal && { signal }) };
  } catch (error) {
    await discardBlobs(server, [key]);
    throw error;
  }
}

/** Says that no record takes these bytes. When it cannot be said, the reservation ends by itself. */
export async function discardBlobs(server: Pick<ServerContext, 'options'>, keys: readonly string[]): Promise<void> {
  const { ledger } = blobStorage(server);
  try {
    for (const key of keys) await ledger.release(key);
  } catch (error) {
    server.options.report('bytes that nobody needs were not let go', error);
  }
}
