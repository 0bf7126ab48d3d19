import * as z from 'zod';
import { constant, integer, timestamp } from '../field.ts';
import { FILTER_VALUES_MAX } from '../limits.ts';

const groupings = ['project_id', 'api_key_id', 'line_item'] as const;

export const costsQuerySchema = z.strictObject({
  start_time: integer({ min: 0 }).meta({
    description: 'Start of the report in Unix seconds, inclusive.',
    examples: [1_735_689_600],
  }),
  end_time: integer({ min: 0 }).optional().describe('End of the report in Unix seconds, exclusive. Default: now.'),
  bucket_width: z.literal('1d').optional().describe('Length of each bucket. Days are in UTC.'),
  project_ids: z.array(z.string()).max(FILTER_VALUES_MAX).optional().describe('Only these projects.'),
  api_key_ids: z.array(z.string()).max(FILTER_VALUES_MAX).optional().describe('Only these keys.'),
  group_by: z
    .array(z.enum(groupings))
    .max(groupings.length)
    .optional()
    .describe('Fields to group the results of a day by. `line_item` is the model.'),
  limit: integer({ min: 1, max: 180 }).optional().meta({ description: 'Number of days to return.', default: 7 }),
  page: z.string().optional().describe('The `next_page` of the previous page.'),
});

export const costsResultSchema = z
  .looseObject({
    object: constant('organization.costs.result'),
    amount: z
      .looseObject({
        value: z.number().meta({ description: 'The amount, exact to a millionth.', examples: [0.06] }),
        currency: z.string().meta({ description: 'Currency of the price table, in lower case.', examples: ['usd'] }),
      })
      .describe('What it cost by the price table at that time.'),
    project_id: z.string().nullable().optional().describe('The project, when grouped by `project_id`.'),
    api_key_id: z.string().nullable().optional().describe('The key, when grouped by `api_key_id`.'),
    line_item: z.string().nullable().optional().describe('The model, when grouped by `line_item`.'),
  })
  .meta({ id: 'CostsResult', description: 'What one day cost, in total or for one group.' });

export const costsPageSchema = z
  .looseObject({
    object: constant('page'),
    data: z
      .array(
        z.looseObject({
          object: constant('bucket'),
          start_time: timestamp('Start of the day, inclusive.'),
          end_time: timestamp('End of the day, exclusive.'),
          results: z.array(costsResultSchema).describe('One entry for each group; one in all without `group_by`.'),
        }),
      )
      .describe('One entry for each day.'),
    has_more: z.boolean().describe('Whether there is a next page.'),
    next_page: z.string().nullable().describe('The `page` of the next page. Null on the last.'),
  })
  .meta({ id: 'CostsPage', description: 'A page of the cost report.' });
