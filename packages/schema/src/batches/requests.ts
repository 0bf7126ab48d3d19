import * as z from 'zod';
import { expiresAfterSchema } from '../fields/expires-after.ts';
import { requestObject, text } from '../fields/field.ts';
import { metadataSchema } from '../fields/metadata.ts';
import { completionWindowSeconds } from './completion-window.ts';
import { pageQuery } from '../fields/paging.ts';

export const batchEndpointSchema = z.enum([
  '/v1/chat/completions',
  '/v1/moderations',
  '/v1/videos',
  '/v1/responses',
  '/v1/messages',
  '/v1/embeddings',
  '/v1/completions',
  '/v1/images/generations',
  '/v1/images/edits',
  '/v1/datasets',
  '/v1/datasets/compare',
  '/v1/datasets/rerun',
]);

export const batchCreateParamsSchema = requestObject('BatchCreateParams', 'A request for a batch.', {
  input_file_id: text({ min: 1 }).meta({
    description: 'ID of a file of purpose `batch` with one request on each line.',
    examples: ['file-abc123'],
  }),
  endpoint: batchEndpointSchema.describe('Path of the endpoint that every line is sent to.'),
  completion_window: z
    .string()
    .refine((window) => completionWindowSeconds(window) !== undefined, {
      error: 'a number of hours from 1h to 168h, or of days from 1d to 7d',
    })
    .meta({
      description: 'Time within which the batch ends: `1h` to `168h`, or `1d` to `7d`.',
      pattern: '^([1-9][0-9]{0,2}h|[1-7]d)$',
      examples: ['24h'],
    }),
  metadata: metadataSchema.nullable().optional(),
  output_expires_after: expiresAfterSchema
    .optional()
    .describe('When the files with the results expire. Default: they are kept.'),
});

export const batchListQuerySchema = z.strictObject(pageQuery());
