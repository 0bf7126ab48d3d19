import type { Upload } from '@modelwire/schema/types';
import { blobDeletionDelayMs } from '../../media/files/storage.ts';
import type { ServerContext } from '../../context.ts';
import type { Call } from '../../call.ts';
import type { JsonReply } from '../../http/reply.ts';
import { findUpload, notPending, statusOf, uploadsOf } from './find-upload.ts';
import { nowInSeconds } from '../../clock.ts';

/** POST /uploads/{upload_id}/cancel: its parts are released. */
export async function cancelUpload(call: Call, server: ServerContext): Promise<JsonReply<Upload>> {
  const record = await findUpload(call, server);
  const status = statusOf(record, server);
  if (status !== 'pending') notPending(status);
  const { upload } = record;
  const init = { now: nowInSeconds(server.clock), dueAfterMs: blobDeletionDelayMs };
  // Another request has ended it in the meantime.
  if (!(await uploadsOf(call, server).cancel(upload.id, init)))
    notPending(statusOf(await findUpload(call, server), server));
  return { status: 200, body: { ...upload, status: 'cancelled' } };
}
