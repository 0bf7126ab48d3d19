import { METADATA_VALUE_MAX_LENGTH } from '@modelwire/schema';
import type { DatasetRerun, DatasetRerunParams } from '@modelwire/schema/types';
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
  const { body, principal, client, batchLine } = call;
  const { parameters = {} } = body;
  checkParameters(parameters);
  const dataset = await findDataset(body.dataset, call, server);
  const { model } = parameters;
  const described = typeof model === 'string' ? `${dataset.name} with ${model}` : `${dataset.name} again`;
  const { name = described.slice(0, METADATA_VALUE_MAX_LENGTH) } = body;
  const rerun = { object: 'dataset.rerun', name, dataset: dataset.id, parameters } as const;
  await server.storageQuota.assertHasSpace(principal);
  if (!batchLine) {
    const input_file_id = await storeLines(
      [{ custom_id: 'rerun', method: 'POST', url: endpoint, body }],
      call,
      server,
      {
        filename: `${name}.jsonl`,
        expiresAfter: lifetimeOf('batch', undefined),
      },
    );
    // By the ID of the dataset, its reruns are found.
    const metadata = { name, dataset_id: dataset.id };
    const params = { input_file_id, endpoint, completion_window: '24h', metadata } as const;
    const { id } = await startBatch({ body: params, principal }, server);
    return { status: 200, body: { id, ...rerun, batch_ids: [] } };
  }
  const formatOf = requestFormat(parameters);
  const requests = {
    parts: [null],
    write: async (files: Pick<LineFiles<null>, 'add'>) => {
      for await (const item of itemsOf(dataset, call, server))
        await files.add(null, JSON.stringify(formatOf(item).line));
    },
    describe: () => ({ filename: `${name}.jsonl`, endpoint: '/v1/chat/completions', metadata: { name } }) as const,
  };
  const run = () => endedBatches(call, batchLine, requests, server);
  const batches = await server.datasetSemaphore.run(run, client.signal, principal.project);
  return { status: 200, body: { id: batchLine.batch, ...rerun, batch_ids: batches.map(({ id }) => id) } };
}
