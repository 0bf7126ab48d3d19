import * as z from 'zod';
import { integer, timestamp } from './field.ts';

const groupings = ['project_id', 'api_key_id', 'model'] as const;

/** Query of the operator's usage report. Official SDKs write its lists as `models[]=…`. */
export const usageQuerySchema = z.strictObject({
  start_time: integer({ min: 0 }).describe('Unix seconds, inclusive.'),
  end_time: integer({ min: 0 }).optional().describe('Unix seconds, exclusive. Default: now.'),
  bucket_width: z.literal('1d').optional().describe('Days, in UTC.'),
  project_ids: z.array(z.string()).optional().describe('Only these projects.'),
  api_key_ids: z.array(z.string()).optional().describe('Only these keys.'),
  models: z.array(z.string()).optional().describe('Only these models.'),
  group_by: z.array(z.enum(groupings)).optional().describe('What each result is told apart by.'),
  limit: integer({ min: 1, max: 31 }).optional().meta({ description: 'Days of a page.', default: 7 }),
  page: z.string().optional().describe('`next_page` of the page before.'),
});

export const usageResultSchema = z
  .looseObject({
    object: z.literal('organization.usage.completions.result'),
    num_model_requests: z.int(),
    input_tokens: z.int(),
    output_tokens: z.int(),
    input_cached_tokens: z.int().optional(),
    project_id: z.string().nullable().optional(),
    api_key_id: z.string().nullable().optional(),
    model: z.string().nullable().optional(),
  })
  .meta({ id: 'UsageResult' });

export const usagePageSchema = z
  .looseObject({
    object: z.literal('page'),
    data: z.array(
      z.looseObject({
        object: z.literal('bucket'),
        start_time: timestamp(),
        end_time: timestamp(),
        results: z.array(usageResultSchema),
      }),
    ),
    has_more: z.boolean(),
    next_page: z.string().nullable(),
  })
  .meta({ id: 'UsagePage' });
