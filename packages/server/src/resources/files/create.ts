import type { FileCreateFields, FileObject } from '@modelwire/schema/types';
import { FILENAME_MAX_LENGTH, MEDIA_TYPE_MAX_LENGTH } from '@modelwire/schema';
import { invalid } from '../../errors.ts';
import type { ServerContext } from '../../context.ts';
import type { Call, ReceivedFile } from '../../call.ts';
import type { JsonReply } from '../../http/reply.ts';
import { projectStores } from '../../media/files/storage.ts';
import { lifetimeOf, newFile } from '../../media/files/file-object.ts';
import type { Handlers } from '../../http/implement.ts';

/** POST /files: the bytes are stored as they arrive; the record refers to them. */
export const createFile: Handlers['files.create'] = (call, server) => {
  return call.body.receive(({ fields, files }) => recordFile(call, fields, files.get('file'), server));
};

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
