import { UPLOAD_MAX_BYTES, UPLOAD_MAX_PARTS } from '@modelwire/schema';
import type { UploadPart } from '@modelwire/schema/types';
import { fileTooLarge, invalid } from '../../errors.ts';
import { nowInSeconds } from '../../clock.ts';
import type { ServerContext } from '../../context.ts';
import type { Call, ReceivedFile } from '../../call.ts';
import type { JsonReply } from '../../http/reply.ts';
import { findUpload, notPending, statusOf, throwNotFound, uploadId, uploadsOf } from './find-upload.ts';
import type { Handlers } from '../../http/implement.ts';

/** POST /uploads/{upload_id}/parts (API: Add upload part). Parts of an upload are in the order in which they started to arrive. */
export const addUploadPart: Handlers['uploads.parts.create'] = async (call, server) => {
  // Before the content is sent, which can be up to 64 MB.
  if (!call.body.isRepeatable) {
    const status = statusOf(await findUpload(call, server), server);
    if (status !== 'pending') notPending(status);
  }
  return call.body.receive(({ files }) => storePart(call, files.get('data'), server));
};

async function storePart(
  call: Pick<Call, 'principal' | 'params'>,
  formFile: ReceivedFile | undefined,
  server: ServerContext,
): Promise<JsonReply<UploadPart>> {
  if (!formFile) throw new Error('a form without its file');
  const upload_id = uploadId(call);
  const now = nowInSeconds(server.clock);
  const part: UploadPart = { id: server.createId('part_'), object: 'upload.part', created_at: now, upload_id };
  const limits = { now, maxBytes: UPLOAD_MAX_BYTES, maxParts: UPLOAD_MAX_PARTS };
  const outcome = await uploadsOf(call, server).addPart({ part, segment: formFile.segment }, limits);
  switch (outcome) {
    case 'added':
      return { status: 200, body: part };
    case 'absent':
      return throwNotFound(upload_id);
    case 'too_many_bytes':
      throw fileTooLarge('data', UPLOAD_MAX_BYTES, 'All parts of the upload together would be');
    case 'too_many_parts':
      throw invalid('upload_id', `The upload has ${UPLOAD_MAX_PARTS} parts already, which is the maximum.`);
    default:
      return notPending(outcome);
  }
}
