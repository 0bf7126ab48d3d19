import { DATASET_NAME_MAX_LENGTH } from '@modelwire/schema';
import type { Dataset, DatasetRerun, DatasetRerunParams } from '@modelwire/schema/types';
import { startBatch } from '../../batches/start-batch.ts';
import { rerunEndpoint as endpoint } from '../../batches/started-batches.ts';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import type { JsonReply } from '../../http/reply.ts';
import { lifetimeOf } from '../../media/files/file-object.ts';
import { storeLines } from '../../media/files/store-lines.ts';
import { checkParameters, requestFormat } from './dataset-item.ts';
import { endedBatches } from './line-batches.ts';
import type { LineFiles } from './line-files.ts';
import { findDataset, itemsOf } from './read-dataset.ts';

/**
 * POST /datasets/rerun: creates a batch with this request as its only line. As the line of a batch, the request starts batches of the requests
 * of the dataset, and waits for them.
 */
export async function rerunDataset(
  call: Call<DatasetRerunParams>,
  server: ServerContext,
): Promise<JsonReply<DatasetRerun>> {
  const { body, client, principal, batchLine } = call;
  const { dataset, parameters = {} } = body;
  checkParameters(parameters);
  if (!batchLine) return { status: 200, body: await createRerun(call, server) };
  const { name = 'rerun' } = body;
  const lineOf = requestFormat(parameters);
  const requests = {
    parts: [null],
    write: async (files: Pick<LineFiles<null>, 'add'>) => {
      for await (const item of itemsOf(await findDataset(dataset, call, server), call, server))
        await files.add(null, JSON.stringify(lineOf(item).line));
    },
    describe: () => ({ filename: `${name}.jsonl`, endpoint: '/v1/chat/completions', metadata: { name } }) as const,
  };
  const run = () => endedBatches(call, batchLine, requests, server);
  const batches = await server.datasetSemaphore.run(run, client.signal, principal.project);
  const batch_ids = batches.map(({ id }) => id);
  return { status: 200, body: { id: batchLine.batch, object: 'dataset.rerun', name, dataset, parameters, batch_ids } };
}

async function createRerun(call: Call<DatasetRerunParams>, server: ServerContext): Promise<DatasetRerun> {
  const { body, principal } = call;
  const { parameters = {} } = body;
  const dataset = await findDataset(body.dataset, call, server);
  await server.storageQuota.assertHasSpace(principal);
  const { name = defaultName(dataset, parameters['model']) } = body;
  const line = { custom_id: 'rerun', method: 'POST', url: endpoint, body: { ...body, name } };
  const init = { filename: `${name}.jsonl`, expiresAfter: lifetimeOf('batch', undefined) };
  const input_file_id = await storeLines([line], call, server, init);
  // By the ID of the dataset, its reruns are found.
  const metadata = { name, dataset_id: dataset.id };
  const params = { input_file_id, endpoint, completion_window: '24h', metadata } as const;
  const { id } = await startBatch({ body: params, principal }, server);
  return { id, object: 'dataset.rerun', name, dataset: dataset.id, parameters, batch_ids: [] };
}

function defaultName({ name }: Dataset, model: unknown): string {
  const described = typeof model === 'string' ? `${name} with ${model}` : `${name} again`;
  return Array.from(described).slice(0, DATASET_NAME_MAX_LENGTH).join('');
}
