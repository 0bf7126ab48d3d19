import * as z from 'zod';
import { constant, responseObject, string } from '../fields/field.ts';
import { reportFilters, reportGroup, reportGrouping, reportPage, reportPaging } from '../fields/report.ts';

export const costsQuerySchema = z.strictObject({
  ...reportFilters(),
  group_by: reportGrouping(['project_id', 'api_key_id', 'line_item']).describe(
    'Fields to group the results of a day by. `line_item` is the model.',
  ),
  ...reportPaging({ maxDays: 180 }),
});

export const costsResultSchema = responseObject('CostsResult', 'What one day cost, in total or for one group.', {
  object: constant('organization.costs.result'),
  amount: z
    .looseObject({
      value: z.number().meta({ description: 'The amount, exact to a millionth.', examples: [0.06] }),
      currency: string('Currency of the price table, in lower case.', 'usd'),
    })
    .describe('What it cost by the price table at that time.'),
  project_id: reportGroup('project', 'project_id'),
  api_key_id: reportGroup('key', 'api_key_id'),
  line_item: reportGroup('model', 'line_item'),
});

export const costsPageSchema = reportPage('CostsPage', 'A page of the cost report.', costsResultSchema);
