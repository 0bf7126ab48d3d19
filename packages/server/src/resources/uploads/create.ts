import type { Upload } from '@modelwire/schema/types';
import { lifetimeOf } from '../../media/files/file-object.ts';
import { nowInSeconds } from '../../clock.ts';
import { uploadsOf } from './find-upload.ts';
import type { Handlers } from '../../http/implement.ts';

/** POST /uploads: creates an upload; its parts follow. */
export const createUpload: Handlers['uploads.create'] = async (call, server) => {
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
};
