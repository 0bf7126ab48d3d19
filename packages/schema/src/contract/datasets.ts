import { datasetCompareParamsSchema, datasetComparisonSchema } from '../datasets/comparison.ts';
import { datasetSchema } from '../datasets/dataset.ts';
import { datasetCreateParamsSchema } from '../datasets/requests.ts';
import { datasetRerunParamsSchema, datasetRerunSchema } from '../datasets/rerun.ts';
import * as routes from '../routes.ts';
import { endpoint, endpoints, json } from './endpoint.ts';
import * as errors from './errors.ts';

export const datasetEndpoints = endpoints(
  {
    'datasets.create': endpoint(
      routes.createDataset,
      'Write stored completions to files. As the line of a batch, it survives a restart of the server.',
      datasetSchema,
      {
        request: [
          json(datasetCreateParamsSchema, {
            'For fine-tuning': { format: 'fine_tuning', filter: { model: 'simulator' }, split: { test: 0.1, seed: 7 } },
            'For evaluation': { name: 'titles', format: 'evaluation', filter: { metadata: { topic: 'titles' } } },
            'To run again with another model': { format: 'batch', parameters: { model: 'simulator', temperature: 0 } },
          }),
        ],
        errors: [errors.objectNotFound('dataset'), errors.redactionFailed, errors.idempotencyKeyInUse],
      },
    ),
    'datasets.rerun': endpoint(
      routes.rerunDataset,
      'Run the requests of a dataset again, as a batch that survives a restart of the server.',
      datasetRerunSchema,
      {
        request: [
          json(datasetRerunParamsSchema, {
            'With another model': { dataset: 'file-abc123', parameters: { model: 'simulator', temperature: 0 } },
          }),
        ],
        errors: [errors.objectNotFound('dataset'), errors.idempotencyKeyInUse],
      },
    ),
    'datasets.compare': endpoint(
      routes.compareDataset,
      'Compare replies to the requests of a dataset. As the line of a batch, it survives a restart of the server.',
      datasetComparisonSchema,
      {
        request: [
          json(datasetCompareParamsSchema, {
            'With the replies of the dataset': {
              name: 'small-model',
              dataset: 'file-abc123',
              candidate_batch_ids: ['batch_abc123'],
              scorers: [
                { type: 'normalized' },
                { type: 'judge', model: 'simulator', criteria: 'It is correct and short.' },
              ],
            },
          }),
        ],
        errors: [
          errors.objectNotFound('dataset, batch or file'),
          errors.invalidState('A batch has not ended.'),
          errors.idempotencyKeyInUse,
        ],
      },
    ),
  },
  ['stores', 'blobs'],
);
