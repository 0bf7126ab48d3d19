import type { Dataset, DatasetRerun } from '@modelwire/schema/types';
import { expect, test, vi } from 'vitest';
import { listen } from '../../testing/listen.ts';
import { memoryWork } from '../../testing/memory-work.ts';
import { says, scriptedEngine } from '../../testing/scripted-engine.ts';
import { patient } from '../../testing/serve-batches.ts';

/** Rejects the first call of a method, before or after it has its effect. */
function failsOnce<Args extends unknown[], Value>(
  call: (...args: Args) => Promise<Value>,
  { after, applies = () => true }: { readonly after: boolean; readonly applies?: (...args: Args) => boolean },
) {
  let hasFailed = false;
  return async (...args: Args): Promise<Value> => {
    if (hasFailed || !applies(...args)) return call(...args);
    hasFailed = true;
    if (after) await call(...args);
    throw new Error('the connection was lost');
  };
}

test.each([
  ['after the file of its requests is stored', { file: true, batch: false, isBatchStored: false }],
  ['between the file and its batch', { file: false, batch: true, isBatchStored: false }],
  ['after its batch is stored', { file: false, batch: true, isBatchStored: true }],
])('a rerun that fails %s has one file and one batch', async (_, { file, batch, isBatchStored }) => {
  const work = memoryWork();
  const { batches, files, ...project } = work.stores.project('p');
  const isStarted = ({ metadata }: { readonly metadata?: Readonly<Record<string, string>> | null }): boolean =>
    metadata?.['modelwire_started_by'] !== undefined;
  const failing = {
    ...project,
    files: {
      ...files,
      create: file
        ? failsOnce(files.create, {
            after: true,
            applies: (record) => record.file.filename === 'again.jsonl' && filesOfRerun++ === 1,
          })
        : files.create,
    },
    batches: {
      ...batches,
      create: batch
        ? failsOnce(batches.create, { after: isBatchStored, applies: (record) => isStarted(record.batch) })
        : batches.create,
    },
  };
  // The first one is the input of the rerun itself.
  let filesOfRerun = 0;
  const { client } = await listen({
    engines: [scriptedEngine(() => says('done'))],
    stores: { ...work.stores, project: () => failing },
    blobs: work.blobs,
    batchRetryDelayMs: 10,
    report: () => undefined,
    jobTimes: { pollMs: 10, retryMs: 10 },
  });
  for (const content of ['One', 'Two'])
    await client.chat.completions.create({ model: 'scripted', store: true, messages: [{ role: 'user', content }] });
  const { id: dataset } = await client.post<Dataset>('/datasets', { body: { format: 'evaluation' } });
  const body = { dataset, name: 'again' };
  const { id } = await client.post<DatasetRerun>('/datasets/rerun', { body });
  const { output_file_id } = await vi.waitFor(async () => {
    const found = await client.batches.retrieve(id);
    expect(found.status).toBe('completed');
    return found;
  }, patient);
  const [result] = work.linesOf(output_file_id);
  expect(result).toMatchObject({ response: { body: { batch_ids: [expect.stringMatching(/^batch_/)] } } });
  expect(work.batches.count()).toBe(2);
  const stored = (await client.files.list({ purpose: 'batch' })).data;
  expect(stored.map(({ filename }) => filename)).toEqual(['again.jsonl', 'again.jsonl']);
  // Bytes without a record are released.
  expect([...work.reserved.values()].filter((due) => due > Date.now())).toEqual([]);
});
