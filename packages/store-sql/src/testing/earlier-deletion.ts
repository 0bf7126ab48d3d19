import type { Stores } from '@modelwire/ports';
import { expect } from 'vitest';
import type { EarlierReplica } from './earlier-replica.ts';

/** Creates the completions `chatcmpl-1` to `chatcmpl-4` in an earlier version, and deletes the second. */
export async function deleteInEarlierVersion(replica: EarlierReplica): Promise<void> {
  await replica.run('completions.append', '1');
  await replica.run('completions.append another', '2');
  await replica.run('completions.append', '3');
  await replica.run('completions.append', '4');
  await replica.run('completions.delete', '2');
}

/** Expects that lists continue after completions that were deleted in the earlier version, and in this one. */
export async function expectDeletedCursors(stores: Stores): Promise<void> {
  const { completions } = stores.project('earlier');
  await completions.delete('chatcmpl-3');
  const after = async (id: string) =>
    (await completions.list({ after: id, limit: 10, order: 'asc' }))?.items.map((record) => record.id);
  expect(await after('chatcmpl-1')).toEqual(['chatcmpl-4']);
  expect(await after('chatcmpl-2-deleted')).toEqual(['chatcmpl-4']);
  expect(await after('chatcmpl-3')).toEqual(['chatcmpl-4']);
}
