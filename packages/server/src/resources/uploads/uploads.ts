import { UPLOAD_MAX_BYTES, UPLOAD_MAX_PARTS } from '@modelwire/schema';
import type { Upload, UploadPart } from '@modelwire/schema/types';
import type { Call, ReceivedFile } from '../../call.ts';
import { nowInSeconds } from '../../clock.ts';
import type { ServerContext } from '../../context.ts';
import { fileTooLarge, invalid } from '../../errors.ts';
import type { HandlersOf } from '../../http/implement.ts';
import type { JsonReply } from '../../http/reply.ts';
import { lifetimeOf } from '../../media/files/file-object.ts';
import { blobDeletionDelayMs } from '../../media/files/storage.ts';
import { completeUpload } from './complete.ts';
import { findUpload, notPending, statusOf, uploadInPath, uploadsOf } from './find-upload.ts';

export const uploads: HandlersOf<'uploads'> & HandlersOf<'uploads.parts'> = {
  async 'uploads.create'(call, server) {
    const { filename, bytes, mime_type: mediaType, purpose, expires_after } = call.body;
    await server.storageQuota.assertHasSpace(call.principal, bytes);
    const created_at = nowInSeconds(server.clock);
    const upload: Upload = {
      id: server.createId('upload_'),
      object: 'upload',
      created_at,
      filename,
      bytes,
      purpose,
      status: 'pending',
      expires_at: created_at + Math.ceil(server.options.uploadExpiresMs / 1000),
    };
    await uploadsOf(call, server).create({ upload, mediaType, fileExpiresAfter: lifetimeOf(purpose, expires_after) });
    return { status: 200, body: upload };
  },

  /** Parts of an upload are in the order in which they started to arrive. */
  async 'uploads.parts.create'(call, server) {
    // Before the content is sent, which can be up to 64 MB.
    if (!call.body.isRepeatable) {
      const status = statusOf(await findUpload(call, server), server);
      if (status !== 'pending') notPending(status);
    }
    return call.body.receive(({ files }) => storePart(call, files.get('data'), server));
  },

  'uploads.complete': completeUpload,

  /** Its parts are released. */
  async 'uploads.cancel'(call, server) {
    const record = await findUpload(call, server);
    const status = statusOf(record, server);
    if (status !== 'pending') notPending(status);
    const { upload } = record;
    const init = { now: nowInSeconds(server.clock), dueAfterMs: blobDeletionDelayMs };
    // Another request has ended it in the meantime.
    if (!(await uploadsOf(call, server).cancel(upload.id, init)))
      notPending(statusOf(await findUpload(call, server), server));
    return { status: 200, body: { ...upload, status: 'cancelled' } };
  },
};

async function storePart(
  call: Pick<Call, 'principal' | 'params'>,
  formFile: ReceivedFile | undefined,
  server: ServerContext,
): Promise<JsonReply<UploadPart>> {
  if (!formFile) throw new Error('a form without its file');
  const upload_id = uploadInPath.id(call);
  const now = nowInSeconds(server.clock);
  const part: UploadPart = { id: server.createId('part_'), object: 'upload.part', created_at: now, upload_id };
  const limits = { now, maxBytes: UPLOAD_MAX_BYTES, maxParts: UPLOAD_MAX_PARTS };
  const outcome = await uploadsOf(call, server).addPart({ part, segment: formFile.segment }, limits);
  switch (outcome) {
    case 'added':
      return { status: 200, body: part };
    case 'absent':
      return uploadInPath.throwNotFound(call);
    case 'too_many_bytes':
      throw fileTooLarge('data', UPLOAD_MAX_BYTES, 'All parts of the upload together would be');
    case 'too_many_parts':
      throw invalid('upload_id', `The upload has ${UPLOAD_MAX_PARTS} parts already, which is the maximum.`);
    default:
      return notPending(outcome);
  }
}
