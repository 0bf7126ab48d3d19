import { notFound, invalidState } from '../../errors.ts';
import { projectStores } from '../../media/files/storage.ts';
import type { ServerContext } from '../../context.ts';
import type { UploadRecord, UploadStore } from '@modelwire/ports';
import type { Call } from '../../call.ts';
import { nowInSeconds } from '../../clock.ts';

export function uploadsOf(call: Pick<Call, 'principal'>, server: ServerContext): UploadStore {
  return projectStores(call, server).uploads;
}

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

export function throwNotFound(id: string): never {
  throw notFound('upload', id, 'upload_id');
}

/** The current status: an upload that was not completed in time has expired, whether or not that is stored yet. */
export function statusOf({ upload }: UploadRecord): string {
  return upload.status === 'pending' && upload.expires_at <= nowInSeconds() ? 'expired' : upload.status;
}

/** A 400 that names the status. */
export function notPending(status: string): never {
  throw invalidState(`The upload is ${status}: this is possible only while it is pending.`);
}
