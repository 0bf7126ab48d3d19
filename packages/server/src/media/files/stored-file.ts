import type { BlobSegment, FileRecord } from '@modelwire/ports';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { hasExpired } from './file-object.ts';
import { readSegments, sizeOf } from './read-segments.ts';
import { projectStores } from './storage.ts';

/**
 * The file with this ID.
 *
 * @param param The request field with the ID. @throws a 404 if it does not exist, has expired, or belongs to another project; the error does
 * not reveal which.
 */
export async function findStoredFile(
  id: string,
  param: string,
  call: Pick<Call, 'principal'>,
  server: ServerContext,
): Promise<FileRecord> {
  const record = await projectStores(call, server).files.get(id);
  if (!record || hasExpired(record.file, server)) throw notFound('file', id, param);
  return record;
}

/** The bytes of a file in memory. The caller limits their number. @throws the signal's reason when it aborts. */
export async function readAll(
  content: readonly BlobSegment[],
  server: Pick<ServerContext, 'options'>,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const bytes = new Uint8Array(sizeOf(content));
  let at = 0;
  for await (const piece of readSegments(server, content)) {
    signal.throwIfAborted();
    bytes.set(piece, at);
    at += piece.byteLength;
  }
  return bytes;
}
