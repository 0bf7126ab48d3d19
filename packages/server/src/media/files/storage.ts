import type { ServerContext } from '../../context.ts';
import type { Principal, BlobLedger, Blobs, ProjectStores, BlobSegment, Stores } from '@modelwire/ports';
import { digested } from '@modelwire/adapter-kit/content-digest';
import { randomId } from '../../ids.ts';

/** The blob storage. */
export function blobStorage({ options }: Pick<ServerContext, 'options'>): {
  readonly blobs: Blobs;
  readonly ledger: BlobLedger;
} {
  if (!options.blobs) throw new Error('served without blobs');
  return { blobs: options.blobs, ledger: storesOf({ options }).ledger };
}

/** The stores: endpoints that need them are served only with stores. */
export function storesOf({ options }: Pick<ServerContext, 'options'>): Stores {
  if (!options.stores) throw new Error('served without stores');
  return options.stores;
}

/** The stores of the client's project. */
export function projectStores(
  { principal }: { readonly principal: Principal },
  server: Pick<ServerContext, 'options'>,
): ProjectStores {
  return storesOf(server).project(principal.project);
}

/** Milliseconds within which a record must refer to the written bytes. No upload takes as long. */
const reservationMs = 86_400_000;

/** Milliseconds that bytes remain after their record was deleted, so that running reads can finish. */
export const blobDeletionDelayMs = 600_000;

/** Writes bytes for a record that is created afterwards. A failure leaves nothing behind. */
export async function writeBlob(
  server: Pick<ServerContext, 'options'>,
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<BlobSegment> {
  const { blobs, ledger } = blobStorage(server);
  const key = randomId('blob_');
  await ledger.reserve(key, reservationMs);
  try {
    const { stream, result } = digested(bytes);
    await blobs.write(key, stream, { signal });
    return { key, ...result() };
  } catch (error) {
    await discardBlobs(server, [key]);
    throw error;
  }
}

/** Bytes in memory as a source of `writeBlob`. */
export async function* singleChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield bytes;
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
