import { batchListSchema, batchSchema } from '../batches/batch.ts';
import { batchCreateParamsSchema, batchListQuerySchema } from '../batches/requests.ts';
import * as routes from '../routes.ts';
import { objectNotFound, endpoint, json, idempotencyKeyInUse, notCancellable, unsupported } from './endpoint.ts';

export const batchEndpoints = {
  'batches.create': endpoint('batches.create', {
    route: routes.createBatch,
    summary: 'Create a batch that runs the requests of an uploaded file.',
    section: 'companion',
    request: [
      json(batchCreateParamsSchema, {
        'A batch of chat completions': {
          input_file_id: 'file-abc123',
          endpoint: '/v1/chat/completions',
          completion_window: '24h',
        },
      }),
    ],
    response: batchSchema,
    errors: [objectNotFound('input file'), unsupported, idempotencyKeyInUse],
  }),
  'batches.list': endpoint('batches.list', {
    route: routes.listBatches,
    summary: 'List batches, newest first.',
    section: 'companion',
    query: batchListQuerySchema,
    response: batchListSchema,
  }),
  'batches.retrieve': endpoint('batches.retrieve', {
    route: routes.retrieveBatch,
    summary: 'Retrieve a batch.',
    section: 'companion',
    response: batchSchema,
    errors: [objectNotFound('batch')],
  }),
  'batches.cancel': endpoint('batches.cancel', {
    route: routes.cancelBatch,
    summary: 'Cancel a batch that is in progress.',
    section: 'Cancel batch',
    response: batchSchema,
    errors: [objectNotFound('batch'), notCancellable],
  }),
};
