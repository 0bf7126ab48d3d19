import type { Stores } from '@modelwire/ports';
import { expect } from 'vitest';

/** Expects the records of these runs of an earlier replica, and a completion `chatcmpl-new` of this version. */
export async function expectEarlierRecords(stores: Stores, runs: readonly string[]): Promise<void> {
  const { completions, files, batches } = stores.project('earlier');
  for (const run of runs) {
    expect(await completions.get(`chatcmpl-${run}`)).toMatchObject({ metadata: { app: 'changed' } });
    expect(await files.get(`file-${run}`)).toMatchObject({ content: [{ key: `blob_${run}a`, bytes: 4 }] });
    expect(await batches.get(`batch_${run}`)).toMatchObject({ batch: { status: 'completed' } });
    expect(await stores.keys.findByHash(`hash-${run}`)).toMatchObject({
      key: { id: `key_${run}`, allowedModels: null },
    });
  }
  const listed = await completions.list({ limit: 10, order: 'asc' });
  expect(listed?.items.map(({ id }) => id)).toEqual(expect.arrayContaining(['chatcmpl-new', 'chatcmpl-run-0']));
}
