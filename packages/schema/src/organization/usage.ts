import * as z from 'zod';
import { constant, count, responseObject } from '../fields/field.ts';
import { FILTER_VALUES_MAX } from '../limits.ts';
import { reportFilters, reportGroup, reportGrouping, reportPage, reportPaging } from '../fields/report.ts';

/** Query of the operator's usage report. */
export const usageQuerySchema = z.strictObject({
  ...reportFilters(),
  models: z.array(z.string()).max(FILTER_VALUES_MAX).optional().describe('Only these models.'),
  group_by: reportGrouping(['project_id', 'api_key_id', 'model']).describe('Fields to group the results of a day by.'),
  ...reportPaging({ maxDays: 31 }),
});

export const usageResultSchema = responseObject('UsageResult', 'What was used in one day, in total or by one group.', {
  object: constant('organization.usage.completions.result'),
  num_model_requests: count('Requests to models.'),
  input_tokens: count('Tokens of the requests.'),
  output_tokens: count('Tokens of the replies.'),
  input_cached_tokens: count('Input tokens that were read from a cache.').optional(),
  project_id: reportGroup('project', 'project_id'),
  api_key_id: reportGroup('key', 'api_key_id'),
  model: reportGroup('model', 'model'),
});

export const usagePageSchema = reportPage('UsagePage', 'A page of the usage report.', usageResultSchema);
