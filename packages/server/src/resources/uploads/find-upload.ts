import type { UploadRecord, UploadStore } from '@modelwire/ports';
import { invalidState } from '../../errors.ts';
import { nowInSeconds } from '../../clock.ts';
import type { ServerContext } from '../../context.ts';
import type { Call } from '../../call.ts';
import { objectInPath } from '../../http/object-in-path.ts';
import { projectStores } from '../../media/files/storage.ts';

export const uploadInPath = objectInPath('upload', 'upload_id');

/** The uploads of the project of a request. */
export function uploadsOf(call: Pick<Call, 'principal'>, server: ServerContext): UploadStore {
  return projectStores(call, server).uploads;
}

/** @throws a 404. */
export async function findUpload(
  call: Pick<Call, 'principal' | 'params'>,
  server: ServerContext,
): Promise<UploadRecord> {
  return (await uploadsOf(call, server).get(uploadInPath.id(call))) ?? uploadInPath.throwNotFound(call);
}

/** The current status: an upload that was not completed in time has expired, whether or not that is stored yet. */
export function statusOf({ upload }: UploadRecord, server: ServerContext): string {
  return upload.status === 'pending' && upload.expires_at <= nowInSeconds(server.clock) ? 'expired' : upload.status;
}

/** A 400 that names the status. */
export function notPending(status: string): never {
  throw invalidState(`The upload is ${status}: this is possible only while it is pending.`);
}
