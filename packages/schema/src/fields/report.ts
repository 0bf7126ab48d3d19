import * as z from 'zod';
import { constant, integer, responseObject, timestamp } from './field.ts';
import { FILTER_VALUES_MAX } from '../limits.ts';

const filter = () => z.array(z.string()).max(FILTER_VALUES_MAX).optional();

/** The fields of a query that select what a report by day contains. Official SDKs write its lists as `project_ids[]=…`. */
export const reportFilters = () => ({
  start_time: integer({ min: 0 }).meta({
    description: 'Start of the report in Unix seconds, inclusive.',
    examples: [1_735_689_600],
  }),
  end_time: integer({ min: 0 }).optional().describe('End of the report in Unix seconds, exclusive. Default: now.'),
  bucket_width: z.literal('1d').optional().describe('Length of each bucket. Days are in UTC.'),
  project_ids: filter().describe('Only these projects.'),
  api_key_ids: filter().describe('Only these keys.'),
});

export const reportGrouping = <const Field extends string>(fields: readonly Field[]) =>
  z.array(z.enum(fields)).max(fields.length).optional();

export const reportPaging = ({ maxDays }: { readonly maxDays: number }) => ({
  limit: integer({ min: 1, max: maxDays }).optional().meta({ description: 'Number of days to return.', default: 7 }),
  page: z.string().optional().describe('The `next_page` of the previous page.'),
});

/** The field of a result that names its group: null or absent when results are not grouped by it. */
export const reportGroup = (subject: string, field: string) =>
  z.string().nullable().optional().describe(`The ${subject}, when grouped by \`${field}\`.`);

/** A page of a report: one bucket for each day, with one result for each group. */
export const reportPage = <Result extends z.ZodType>(id: string, description: string, result: Result) =>
  responseObject(id, description, {
    object: constant('page'),
    data: z
      .array(
        z.looseObject({
          object: constant('bucket'),
          start_time: timestamp('Start of the day, inclusive.'),
          end_time: timestamp('End of the day, exclusive.'),
          results: z.array(result).describe('One entry for each group; one in all without `group_by`.'),
        }),
      )
      .describe('One entry for each day.'),
    has_more: z.boolean().describe('Whether there is a next page.'),
    next_page: z.string().nullable().describe('The `page` of the next page. Null on the last.'),
  });
