import { invalid } from '../../errors.ts';
import type { ServerContext } from '../../context.ts';
import type { FileRecord } from '@modelwire/ports';
import { listReply, pageQuery } from '../../http/list.ts';
import type { Call, ReceivedFile } from '../../call.ts';
import { projectStores, blobDeletionDelayMs } from '../../media/files/storage.ts';
import { findStoredFile } from '../../media/files/stored-file.ts';
import { nowInSeconds } from '../../clock.ts';
import { sendContent } from '../../http/content/send-content.ts';
import type { HandlersOf } from '../../http/implement.ts';
import type { FileCreateFields, FileObject } from '@modelwire/schema/types';
import { FILENAME_MAX_LENGTH, MEDIA_TYPE_MAX_LENGTH } from '@modelwire/schema';
import type { JsonReply } from '../../http/reply.ts';
import { lifetimeOf, newFile } from '../../media/files/file-object.ts';
import { objectInPath } from '../../http/object-in-path.ts';

const fileInPath = objectInPath('file', 'file_id');

export const files: HandlersOf<'files'> = {
  /** The bytes are stored as they arrive; the record refers to them. */
  'files.create': (call, server) =>
    call.body.receive((form) => recordFile(call, form.fields, form.files.get('file'), server)),

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
    if (!(await projectStores(call, server).files.delete(id, blobDeletionDelayMs))) fileInPath.throwNotFound(call);
    return { status: 200, body: { id, object: 'file', deleted: true } };
  },

  async 'files.content'(call, server) {
    const { file, mediaType, content } = await findFile(call, server);
    return sendContent(call, server, { content, mediaType, filename: file.filename, etag: `"${file.id}"` });
  },
};

/** @throws a 404, also for a file that has expired. */
function findFile(call: Pick<Call, 'params' | 'principal'>, server: ServerContext): Promise<FileRecord> {
  return findStoredFile(fileInPath.id(call), 'file_id', call, server);
}

async function recordFile(
  call: Pick<Call, 'principal'>,
  { purpose, expires_after }: FileCreateFields,
  formFile: ReceivedFile | undefined,
  server: ServerContext,
): Promise<JsonReply<FileObject>> {
  if (!formFile) throw new Error('a form without its file');
  const { filename, segment } = formFile;
  if (filename.length > FILENAME_MAX_LENGTH) {
    throw invalid('file', `The filename is longer than ${FILENAME_MAX_LENGTH} characters.`, 'string_above_max_length');
  }
  const mediaType = (formFile.mediaType?.length ?? 0) > MEDIA_TYPE_MAX_LENGTH ? undefined : formFile.mediaType;
  const expiresAfter = lifetimeOf(purpose, expires_after);
  const record = newFile(server, { filename, purpose, mediaType, content: [segment], expiresAfter });
  const { files } = projectStores(call, server);
  await server.storageQuota.write(call.principal, (limit) => files.create(record, limit));
  server.options.observer?.fileStored?.({ source: 'file', bytes: segment.bytes });
  return { status: 200, body: record.file };
}
