import { blobDeletionDelayMs } from '../../media/files/storage.ts';
import { findUpload, notPending, statusOf, uploadsOf } from './find-upload.ts';
import { nowInSeconds } from '../../clock.ts';
import type { Handlers } from '../../http/implement.ts';

/** POST /uploads/{upload_id}/cancel: its parts are released. */
export const cancelUpload: Handlers['uploads.cancel'] = async (call, server) => {
  const record = await findUpload(call, server);
  const status = statusOf(record, server);
  if (status !== 'pending') notPending(status);
  const { upload } = record;
  const init = { now: nowInSeconds(server.clock), dueAfterMs: blobDeletionDelayMs };
  // Another request has ended it in the meantime.
  if (!(await uploadsOf(call, server).cancel(upload.id, init)))
    notPending(statusOf(await findUpload(call, server), server));
  return { status: 200, body: { ...upload, status: 'cancelled' } };
};
