import { batchListSchema, batchSchema } from '../batches/batch.ts';
import { batchCreateParamsSchema, batchListQuerySchema } from '../batches/requests.ts';
import * as routes from '../routes.ts';
import { endpoint, endpoints, json } from './endpoint.ts';
import * as errors from './errors.ts';

export const batchEndpoints = endpoints(
  {
    'batches.create': endpoint(
      routes.createBatch,
      'Create a batch that runs the requests of an uploaded file.',
      batchSchema,
      {
        request: [
          json(batchCreateParamsSchema, {
            'A batch of chat completions': {
              input_file_id: 'file-abc123',
              endpoint: '/v1/chat/completions',
              completion_window: '24h',
            },
          }),
        ],
        errors: [errors.objectNotFound('input file'), errors.unsupported, errors.idempotencyKeyInUse],
      },
    ),
    'batches.list': endpoint(routes.listBatches, 'List batches, newest first.', batchListSchema, {
      query: batchListQuerySchema,
    }),
    'batches.retrieve': endpoint(routes.retrieveBatch, 'Retrieve a batch.', batchSchema),
    'batches.cancel': endpoint(routes.cancelBatch, 'Cancel a batch that is in progress.', batchSchema, {
      section: 'Cancel batch',
      errors: [errors.notCancellable],
    }),
  },
  ['stores', 'blobs'],
);
