import * as z from 'zod';
import { integer } from './field.ts';
import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from './limits.ts';

/** One page of a list of `item`. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.looseObject({
    object: z.literal('list'),
    data: z.array(item),
    first_id: z.string().nullable().optional().describe('Id of the first item of `data`.'),
    last_id: z.string().nullable().optional().describe('Id of the last item of `data`; the `after` of the next page.'),
    has_more: z.boolean(),
  });

/** `after` and `limit`, the query of every paged list. */
export const pageQuery = (max = PAGE_LIMIT_MAX) => ({
  after: z
    .string()
    .optional()
    .describe('Id of the last item of the previous page, also one that was deleted within the last day.'),
  limit: integer({ min: 1, max }).optional().meta({ description: 'Items of a page.', default: PAGE_LIMIT_DEFAULT }),
});

/** `order`, by timestamp. */
export const orderQuery = (fallback: 'asc' | 'desc') => ({
  order: z.enum(['asc', 'desc']).optional().meta({ description: 'Order by timestamp.', default: fallback }),
});

/** The query of an endpoint that takes none. */
export const emptyQuerySchema = z.strictObject({});
