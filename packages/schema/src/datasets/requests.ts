import * as z from 'zod';
import { decimal, flag, identifier, integer, jsonObject, requestObject, text } from '../fields/field.ts';
import { expiresAfterSchema } from '../fields/expires-after.ts';
import { metadataSchema } from '../fields/metadata.ts';
import { DATASET_ITEMS_MAX, DATASET_NAME_MAX_LENGTH } from '../limits.ts';

export const datasetFormatSchema = z.enum(['fine_tuning', 'evaluation', 'batch']);

export const datasetFilterSchema = requestObject('DatasetFilter', 'Which stored completions a dataset has.', {
  model: z.string().optional().describe('Only completions of this model.'),
  metadata: metadataSchema
    .optional()
    .describe('Only completions whose metadata has these pairs. Default: all but the results of reruns.'),
  start_time: integer({ min: 0 })
    .optional()
    .describe('Only completions created from this time on, in Unix seconds (inclusive).'),
  end_time: integer({ min: 0 })
    .optional()
    .describe('Only completions created before this time, in Unix seconds (exclusive).'),
});

export const datasetSplitSchema = requestObject('DatasetSplit', 'The part of the items that is kept for tests.', {
  test: decimal({ min: 0, max: 1 }).describe('The share of the items in the test file.'),
  seed: integer()
    .optional()
    .meta({ description: 'Selects the items: the same seed selects the same completions.', default: 0 }),
});

export const datasetCreateParamsSchema = requestObject('DatasetCreateParams', 'A request for a dataset.', {
  name: text({ min: 1, max: DATASET_NAME_MAX_LENGTH })
    .optional()
    .meta({ description: 'Name of the files.', default: 'dataset', examples: ['support-may'] }),
  format: datasetFormatSchema.describe(
    'What a line of the files is: a conversation for fine-tuning, a request with its reply for evaluation, or a request for a batch.',
  ),
  filter: datasetFilterSchema.optional().describe('Which stored completions. Default: all but the results of reruns.'),
  dataset: identifier({ min: 1 })
    .optional()
    .describe('Instead of `filter`: ID of a dataset of the format `evaluation`, whose completions are used.'),
  limit: integer({ min: 1, max: DATASET_ITEMS_MAX })
    .optional()
    .meta({ description: 'Maximum number of lines.', default: DATASET_ITEMS_MAX }),
  deduplicate: flag('Whether a line that is equal to an earlier one, apart from IDs, is left out.', true),
  split: datasetSplitSchema.optional().describe('Default: one file.'),
  parameters: jsonObject()
    .optional()
    .meta({
      description:
        'Only for `batch`: parameters of the requests in place of those that were stored, such as `model`. Null removes one.',
      examples: [{ model: 'simulator', temperature: 0 }],
    }),
  expires_after: expiresAfterSchema.optional().describe('When the files expire. Default: that of their purposes.'),
});
