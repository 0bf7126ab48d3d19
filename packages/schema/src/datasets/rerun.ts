import * as z from 'zod';
import { constant, identifier, jsonObject, requestObject, responseObject, string, text } from '../fields/field.ts';
import { DATASET_NAME_MAX_LENGTH } from '../limits.ts';

export const datasetRerunParamsSchema = requestObject(
  'DatasetRerunParams',
  'A request to run the requests of a dataset again.',
  {
    name: text({ min: 1, max: DATASET_NAME_MAX_LENGTH })
      .optional()
      .meta({
        description:
          'Name of the batches. Default: that of the dataset with the model in `parameters`; in the line of a batch, `rerun`.',
        examples: ['support-may again'],
      }),
    dataset: identifier({ min: 1 }).meta({
      description: 'ID of a dataset of the format `evaluation`.',
      examples: ['file-abc123'],
    }),
    parameters: jsonObject()
      .optional()
      .meta({
        description:
          'Parameters of the requests in place of those that were stored, such as `model`. Null removes one.',
        examples: [{ model: 'simulator', temperature: 0 }],
      }),
  },
);

/** Of this server: the result of the batch `id`. */
export const datasetRerunSchema = responseObject('DatasetRerun', 'The requests of a dataset that run again.', {
  id: string(
    'ID of the batch that runs them. If it is cancelled, so are the batches that it has started. A comparison takes it as a candidate.',
    'batch_abc123',
  ),
  object: constant('dataset.rerun'),
  name: string('Name of the batches.', 'support-may again'),
  dataset: string('ID of the dataset.', 'file-abc123'),
  parameters: jsonObject().describe('Parameters of the requests in place of those that were stored.'),
  batch_ids: z
    .array(z.string())
    .describe(
      'The batches that the batch `id` has started for the requests, in their order. Empty until they have ended: its result has them.',
    ),
});
