import type { FileDeleted, FileListParams, FileObject, FileObjectList } from '@modelwire/schema/types';
import { notFoundThrower } from '../../errors.ts';
import type { ServerContext } from '../../context.ts';
import type { FileRecord } from '@modelwire/ports';
import { listReply, pageQuery } from '../../http/list.ts';
import type { Call } from '../../call.ts';
import type { JsonReply, BytesReply } from '../../http/reply.ts';
import { projectStores, blobDeletionDelayMs } from '../../media/files/storage.ts';
import { findStoredFile } from '../../media/files/stored-file.ts';
import { nowInSeconds } from '../../clock.ts';
import { sendContent } from '../../http/content/send-content.ts';

const throwNotFound = notFoundThrower('file', 'file_id');

/** GET /files */
export async function listFiles(
  call: Call<undefined, FileListParams>,
  server: ServerContext,
): Promise<JsonReply<FileObjectList>> {
  const query = pageQuery(call.query, 'desc');
  const page = await projectStores(call, server).files.list({
    purpose: call.query.purpose,
    ...query,
    now: nowInSeconds(server.clock),
  });
  return listReply(page, query.after);
}

/** GET /files/{file_id} */
export async function retrieveFile(call: Call, server: ServerContext): Promise<JsonReply<FileObject>> {
  return { status: 200, body: (await findFile(call, server)).file };
}

/** DELETE /files/{file_id}: its bytes are removed later, so that running reads can finish. */
export async function deleteFile(call: Call, server: ServerContext): Promise<JsonReply<FileDeleted>> {
  const { id } = (await findFile(call, server)).file;
  if (!(await projectStores(call, server).files.delete(id, blobDeletionDelayMs))) throwNotFound(id);
  return { status: 200, body: { id, object: 'file', deleted: true } };
}

/** @throws a 404 if it does not exist, has expired, or belongs to another project; the error does not reveal which. */
export function findFile(call: Pick<Call, 'params' | 'principal'>, server: ServerContext): Promise<FileRecord> {
  return findStoredFile(call.params['file_id'] ?? '', 'file_id', call, server);
}

/** GET /files/{file_id}/content */
export async function readFileContent(call: Call, server: ServerContext): Promise<BytesReply> {
  const { file, mediaType, content } = await findFile(call, server);
  return sendContent(call, server, { content, mediaType, filename: file.filename, etag: `"${file.id}"` });
}
