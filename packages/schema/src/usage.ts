import * as z from 'zod';
import { constant, count, integer, timestamp } from './field.ts';
import { FILTER_VALUES_MAX } from './limits.ts';

const groupings = ['project_id', 'api_key_id', 'model'] as const;

/** Query of the operator's usage report. Official SDKs write its lists as `models[]=…`. */
export const usageQuerySchema = z.strictObject({
  start_time: integer({ min: 0 }).meta({
    description: 'Start of the report in Unix seconds, inclusive.',
    examples: [1_735_689_600],
  }),
  end_time: integer({ min: 0 }).optional().describe('End of the report in Unix seconds, exclusive. Default: now.'),
  bucket_width: z.literal('1d').optional().describe('Length of each bucket. Days are in UTC.'),
  project_ids: z.array(z.string()).max(FILTER_VALUES_MAX).optional().describe('Only these projects.'),
  api_key_ids: z.array(z.string()).max(FILTER_VALUES_MAX).optional().describe('Only these keys.'),
  models: z.array(z.string()).max(FILTER_VALUES_MAX).optional().describe('Only these models.'),
  group_by: z
    .array(z.enum(groupings))
    .max(groupings.length)
    .optional()
    .describe('Fields to group the results of a day by.'),
  limit: integer({ min: 1, max: 31 }).optional().meta({ description: 'Number of days to return.', default: 7 }),
  page: z.string().optional().describe('The `next_page` of the previous page.'),
});

export const usageResultSchema = z
  .looseObject({
    object: constant('organization.usage.completions.result'),
    num_model_requests: count('Requests to models.'),
    input_tokens: count('Tokens of the requests.'),
    output_tokens: count('Tokens of the replies.'),
    input_cached_tokens: count('Input tokens that were read from a cache.').optional(),
    project_id: z.string().nullable().optional().describe('The project, when grouped by `project_id`.'),
    api_key_id: z.string().nullable().optional().describe('The key, when grouped by `api_key_id`.'),
    model: z.string().nullable().optional().describe('The model, when grouped by `model`.'),
  })
  .meta({ id: 'UsageResult', description: 'What was used in one day, in total or by one group.' });

export const usagePageSchema = z
  .looseObject({
    object: constant('page'),
    data: z
      .array(
        z.looseObject({
          object: constant('bucket'),
          start_time: timestamp('Start of the day, inclusive.'),
          end_time: timestamp('End of the day, exclusive.'),
          results: z.array(usageResultSchema).describe('One entry for each group; one in all without `group_by`.'),
        }),
      )
      .describe('One entry for each day.'),
    has_more: z.boolean().describe('Whether there is a next page.'),
    next_page: z.string().nullable().describe('The `page` of the next page. Null on the last.'),
  })
  .meta({ id: 'UsagePage', description: 'A page of the usage report.' });
