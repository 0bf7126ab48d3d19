import type { FileRecord } from '@modelwire/ports';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { blobDeletionDelayMs, projectStores } from '../../media/files/storage.ts';

/** Stores records of files within the quota of the project: all, or none if one fails. */
export async function storeFiles(
  call: Pick<Call, 'principal'>,
  server: ServerContext,
  records: readonly FileRecord[],
): Promise<void> {
  const { files } = projectStores(call, server);
  const stored: string[] = [];
  try {
    for (const record of records) {
      await server.storageQuota.write(call.principal, (limit) => files.create(record, limit));
      stored.push(record.file.id);
    }
  } catch (error) {
    for (const id of stored) await files.delete(id, blobDeletionDelayMs);
    throw error;
  }
}
