import * as z from 'zod';
import { constant, count } from './field.ts';
import { FILTER_VALUES_MAX } from './limits.ts';
import { reportFilters, reportGroup, reportGrouping, reportPage, reportPaging } from './report.ts';

/** Query of the operator's usage report. */
export const usageQuerySchema = z.strictObject({
  ...reportFilters(),
  models: z.array(z.string()).max(FILTER_VALUES_MAX).optional().describe('Only these models.'),
  group_by: reportGrouping(['project_id', 'api_key_id', 'model']).describe('Fields to group the results of a day by.'),
  ...reportPaging({ maxDays: 31 }),
});

export const usageResultSchema = z
  .looseObject({
    object: constant('organization.usage.completions.result'),
    num_model_requests: count('Requests to models.'),
    input_tokens: count('Tokens of the requests.'),
    output_tokens: count('Tokens of the replies.'),
    input_cached_tokens: count('Input tokens that were read from a cache.').optional(),
    project_id: reportGroup('project', 'project_id'),
    api_key_id: reportGroup('key', 'api_key_id'),
    model: reportGroup('model', 'model'),
  })
  .meta({ id: 'UsageResult', description: 'What was used in one day, in total or by one group.' });

export const usagePageSchema = reportPage(usageResultSchema).meta({
  id: 'UsagePage',
  description: 'A page of the usage report.',
});
