import { UPLOAD_MAX_BYTES, UPLOAD_MAX_PARTS } from '@modelwire/schema';
import type { UploadPart } from '@modelwire/schema/types';
import { fileTooLarge, invalid } from '../../errors.ts';
import { randomId } from '../../ids.ts';
import { nowInSeconds } from '../../clock.ts';
import type { ServerContext } from '../../context.ts';
import type { Call } from '../../call.ts';
import type { Reply } from '../../http/reply.ts';
import { findUpload, notPending, statusOf, throwNotFound, uploadId, uploadsOf } from './find-upload.ts';

/** Rejects a part before its content is sent, which can be up to 64 MB. */
export async function admitPart(call: Pick<Call, 'principal' | 'params'>, server: ServerContext): Promise<void> {
  const status = statusOf(await findUpload(call, server));
  if (status !== 'pending') notPending(status);
}

/** Called when the bytes start to arrive: registers the part, in the order in which parts started. */
export function expectPart(
  { principal, params, requestId }: Pick<Call, 'principal' | 'params' | 'requestId'>,
  server: ServerContext,
): () => void {
  return server.partChecksums.expect({ project: principal.project, upload: uploadId({ params }) }, requestId);
}

/** POST /uploads/{upload_id}/parts (API: Add upload part). The bytes are already stored; the part refers to them. */
export async function addUploadPart(call: Call<object>, server: ServerContext): Promise<Reply> {
  const formFile = call.files.get('data');
  if (!formFile) throw new Error('a form without its file');
  const upload_id = uploadId(call);
  const now = nowInSeconds();
  const part: UploadPart = { id: randomId('part_'), object: 'upload.part', created_at: now, upload_id };
  const limits = { now, maxBytes: UPLOAD_MAX_BYTES, maxParts: UPLOAD_MAX_PARTS };
  const outcome = await uploadsOf(call, server).addPart({ part, segment: formFile.segment }, limits);
  switch (outcome) {
    case 'added':
      server.partChecksums.add({ project: call.principal.project, upload: upload_id }, call.requestId, {
        id: part.id,
        segment: formFile.segment,
      });
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
