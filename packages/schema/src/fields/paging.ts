import * as z from 'zod';
import { constant, integer, responseObject } from './field.ts';
import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from '../limits.ts';

/** One page of a list of `item`. */
export const listOf = <Item extends z.ZodType>(id: string, description: string, item: Item) =>
  responseObject(id, description, {
    object: constant('list'),
    data: z.array(item).describe('The items of this page.'),
    first_id: z.string().nullable().optional().describe('ID of the first item of `data`. Null for an empty page.'),
    last_id: z
      .string()
      .nullable()
      .optional()
      .describe('ID of the last item of `data`: the `after` of the next page. Null for an empty page.'),
    has_more: z.boolean().describe('Whether there is a next page.'),
  });

/**
 * `after` and `limit`, the query of every paged list. The API specifies no maximum of `limit`: a page has at most `max` items, with
 * `has_more` if there are others. An empty `after` requests the first page.
 */
export const pageQuery = ({ max = PAGE_LIMIT_MAX } = {}) => ({
  after: z
    .string()
    .transform((id) => (id === '' ? undefined : id))
    .optional()
    .describe('ID of the last item of the previous page. An item that was deleted within the last day also counts.'),
  limit: integer({ min: 1 })
    .overwrite((limit) => Math.min(limit, max))
    .optional()
    .meta({
      description: `Number of items to return. A page has at most ${max} items, even if more are requested.`,
      default: PAGE_LIMIT_DEFAULT,
    }),
});

/** `order`, by timestamp. */
export const orderQuery = (fallback: 'asc' | 'desc') => ({
  order: z.enum(['asc', 'desc']).optional().meta({ description: 'Sort order by time of creation.', default: fallback }),
});

/** The query of an endpoint without query parameters. */
export const emptyQuerySchema = z.strictObject({});

/** The query of an endpoint without query parameters that ignores those of newer clients. */
export const ignoredQuerySchema = z.object({});
