import { notFoundThrower } from '../../errors.ts';
import type { ServerContext } from '../../context.ts';
import type { FileRecord } from '@modelwire/ports';
import { listReply, pageQuery } from '../../http/list.ts';
import type { Call } from '../../call.ts';
import { projectStores, blobDeletionDelayMs } from '../../media/files/storage.ts';
import { findStoredFile } from '../../media/files/stored-file.ts';
import { nowInSeconds } from '../../clock.ts';
import { sendContent } from '../../http/content/send-content.ts';
import type { HandlersOf } from '../../http/implement.ts';

const throwNotFound = notFoundThrower('file', 'file_id');

export const storedFiles: Omit<HandlersOf<'files'>, 'files.create'> = {
  async 'files.list'(call, server) {
    const query = pageQuery(call.query, 'desc');
    const page = await projectStores(call, server).files.list({
      purpose: call.query.purpose,
      ...query,
      now: nowInSeconds(server.clock),
    });
    return listReply(page, query.after);
  },

  async 'files.retrieve'(call, server) {
    return { status: 200, body: (await findFile(call, server)).file };
  },

  /** Its bytes are removed later, so that running reads can finish. */
  async 'files.delete'(call, server) {
    const { id } = (await findFile(call, server)).file;
    if (!(await projectStores(call, server).files.delete(id, blobDeletionDelayMs))) throwNotFound(id);
    return { status: 200, body: { id, object: 'file', deleted: true } };
  },

  async 'files.content'(call, server) {
    const { file, mediaType, content } = await findFile(call, server);
    return sendContent(call, server, { content, mediaType, filename: file.filename, etag: `"${file.id}"` });
  },
};

/** @throws a 404 if it does not exist, has expired, or belongs to another project; the error does not reveal which. */
export function findFile(call: Pick<Call, 'params' | 'principal'>, server: ServerContext): Promise<FileRecord> {
  return findStoredFile(call.params['file_id'] ?? '', 'file_id', call, server);
}
