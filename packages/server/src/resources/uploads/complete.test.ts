import { expect, test } from 'vitest';
import type { UploadRecord, UploadStore } from '@modelwire/ports';
import { listen } from '../../testing/listen.ts';
import { memoryWork } from '../../testing/memory-work.ts';

/** A server whose upload is ended by another request after it was found pending, before its parts are read. */
async function endedMeanwhile(end: (record: UploadRecord) => UploadRecord, completedWith: readonly string[] = []) {
  const { stores, blobs } = memoryWork();
  let ended: UploadRecord | undefined;
  const project: typeof stores.project = (id) => {
    const own = stores.project(id);
    const uploads: Partial<UploadStore> = {
      ...own.uploads,
      get: async (upload) => ended ?? (await own.uploads.get(upload)),
      async parts(upload) {
        const record = await own.uploads.get(upload);
        ended = record && end(record);
        return [];
      },
      completedWith: () => Promise.resolve(completedWith),
    };
    return { ...own, uploads: uploads as UploadStore };
  };
  const { client } = await listen({ engines: [], stores: { ...stores, project }, blobs });
  const { id } = await client.uploads.create({ filename: 'a', bytes: 3, mime_type: 'a/b', purpose: 'evals' });
  return { id, complete: () => client.uploads.complete(id, { part_ids: ['part_a'] }) };
}

test('reports that an upload was cancelled while it was completed, instead of missing parts', async () => {
  const { complete } = await endedMeanwhile((record) => ({
    ...record,
    upload: { ...record.upload, status: 'cancelled' },
  }));
  await expect(complete()).rejects.toMatchObject({ status: 400, code: 'invalid_state' });
});

test('reports that an upload was completed concurrently with other parts', async () => {
  const { complete } = await endedMeanwhile(
    (record) => ({ ...record, upload: { ...record.upload, status: 'completed' } }),
    ['part_b'],
  );
  await expect(complete()).rejects.toMatchObject({ status: 400, code: 'invalid_state' });
});

test('reports a missing part of a pending upload', async () => {
  const { complete } = await endedMeanwhile((record) => record);
  await expect(complete()).rejects.toMatchObject({ status: 400, code: 'invalid_value', param: 'part_ids[0]' });
});
