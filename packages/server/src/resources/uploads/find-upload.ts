import type { UploadRecord, UploadStore } from '@modelwire/ports';
import { invalidState, notFoundThrower } from '../../errors.ts';
import { nowInSeconds } from '../../clock.ts';
import type { ServerContext } from '../../context.ts';
import type { Call } from '../../call.ts';
import { projectStores } from '../../media/files/storage.ts';

/** The uploads of the project of a request. */
export function uploadsOf(call: Pick<Call, 'principal'>, server: ServerContext): UploadStore {
  return projectStores(call, server).uploads;
}

/** The ID of the upload in the path. */
export function uploadId({ params }: Pick<Call, 'params'>): string {
  return params['upload_id'] ?? '';
}

/** @throws a 404 if it does not exist or belongs to another project; the error does not reveal which. */
export async function findUpload(
  call: Pick<Call, 'principal' | 'params'>,
  server: ServerContext,
): Promise<UploadRecord> {
  const id = uploadId(call);
  return (await uploadsOf(call, server).get(id)) ?? throwNotFound(id);
}

/** @throws a 404 that names the upload. */
export const throwNotFound = notFoundThrower('upload', 'upload_id');

/** The current status: an upload that was not completed in time has expired, whether or not that is stored yet. */
export function statusOf({ upload }: UploadRecord, server: ServerContext): string {
  return upload.status === 'pending' && upload.expires_at <= nowInSeconds(server.clock) ? 'expired' : upload.status;
}

/** A 400 that names the status. */
export function notPending(status: string): never {
  throw invalidState(`The upload is ${status}: this is possible only while it is pending.`);
}
