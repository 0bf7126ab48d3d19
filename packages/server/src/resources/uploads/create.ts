import type { Upload, UploadCreateParams } from '@modelwire/schema/types';
import { lifetimeOf } from '../../media/files/file-object.ts';
import { nowInSeconds } from '../../clock.ts';
import type { ServerContext } from '../../context.ts';
import type { Call } from '../../call.ts';
import type { JsonReply } from '../../http/reply.ts';
import { uploadsOf } from './find-upload.ts';

/** POST /uploads: creates an upload; its parts follow. */
export async function createUpload(call: Call<UploadCreateParams>, server: ServerContext): Promise<JsonReply<Upload>> {
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
}
