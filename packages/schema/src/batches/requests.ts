import * as z from 'zod';
import { expiresAfterSchema } from '../expires-after.ts';
import { text } from '../field.ts';
import { metadataSchema } from '../metadata.ts';
import { pageQuery } from '../paging.ts';

export const batchEndpointSchema = z.enum([
  '/v1/chat/completions',
  '/v1/moderations',
  '/v1/videos',
  '/v1/responses',
  '/v1/embeddings',
  '/v1/completions',
  '/v1/images/generations',
  '/v1/images/edits',
]);

export const batchCreateParamsSchema = z
  .strictObject({
    input_file_id: text({ min: 1 }).describe('A file of purpose `batch`: one request on each line.'),
    endpoint: batchEndpointSchema.describe('Where all lines go.'),
    completion_window: z.literal('24h'),
    metadata: metadataSchema.nullable().optional(),
    output_expires_after: expiresAfterSchema.optional(),
  })
  .meta({ id: 'BatchCreateParams' });

export const batchListQuerySchema = z.strictObject(pageQuery());
