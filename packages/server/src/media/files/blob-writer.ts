import { readChunks } from '@modelwire/core';
import type { BlobSegment } from '@modelwire/ports';
import type { ServerContext } from '../../context.ts';
import { discardBlobs, writeBlob } from './storage.ts';

/** Stores bytes as they are written. */
export interface BlobWriter {
  /** Waits while the storage is slower. */
  write(bytes: Uint8Array): Promise<void>;
  /** Ends the bytes. Resolves with where they are stored. */
  close(): Promise<BlobSegment>;
  /** Releases what was stored, also after `close`. */
  discard(): Promise<void>;
}

export function createBlobWriter(server: Pick<ServerContext, 'options'>, signal: AbortSignal): BlobWriter {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const writing = writeBlob(server, readChunks(readable), signal);
  // A failure also fails `write` or `close`.
  writing.catch(() => undefined);
  writer.closed.catch(() => undefined);
  return {
    write: (bytes) => writer.write(bytes),
    async close() {
      await writer.close();
      return writing;
    },
    async discard() {
      await writer.abort(new Error('the bytes are not needed')).catch(() => undefined);
      const segment = await writing.catch(() => undefined);
      if (segment) await discardBlobs(server, [segment.key]);
    },
  };
}
