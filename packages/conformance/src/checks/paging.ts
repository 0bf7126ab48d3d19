import type { EndpointId } from '@modelwire/schema';
import { check } from '../check.ts';
import type { Check, CheckInit, Phase } from '../check.ts';
import type { CompleteResponse } from '../exchange/response.ts';
import { listAt, textAt, valueAt } from '../exchange/value.ts';
import { contract } from '@modelwire/schema';
import { resolvePath } from '../context/calls.ts';
import type { RunContext } from '../context/run-context.ts';
import { endpointCertainty, likelyOrOpinion } from './shape.ts';
import { assertClientError, assertConforms, assertSuccess, Skip, successful, Violation } from '../verdict.ts';

export type Query = readonly (readonly [string, string])[];

export const listedIds = (response: CompleteResponse): readonly string[] =>
  listAt(response.json, 'data').map((item) => textAt(item, 'id') ?? '');

export interface PagingInit {
  readonly endpoint: EndpointId;
  readonly needs: readonly EndpointId[];
  /** The ID in the path, if it takes one. */
  readonly id?: (context: RunContext) => Promise<string>;
  /** A filter for items that the run created, and at least three of their IDs. */
  readonly createItems: (context: RunContext) => Promise<{ readonly query: Query; readonly ids: readonly string[] }>;
  /** Whether the endpoint has `order`. */
  readonly hasOrder: boolean;
  /** The default order. */
  readonly defaultOrder: 'asc' | 'desc';
  readonly phase?: Phase;
}

/** Small, so that few items make several pages. */
const PAGE_SIZE = 2;
const MAX_PAGES = 200;

/** Creates three objects of a kind, once in a run, and lists them. */
export const createThree =
  (kind: string, create: (context: RunContext) => Promise<string>): PagingInit['createItems'] =>
  async (context) => {
    const ids = await context.createOnce(`three ${kind}`, async () => {
      const created: string[] = [];
      for (let index = 0; index < 3; index++) created.push(await create(context));
      return created.join(' ');
    });
    return { ids: ids.split(' '), query: [] };
  };

/** Pagination rules, equal for all lists. */
export function pagingChecks({
  endpoint,
  needs,
  id,
  createItems,
  hasOrder,
  defaultOrder,
  phase = 'together',
}: PagingInit): readonly Check[] {
  const { section } = contract[endpoint];
  const page = async (context: RunContext, query: Query): Promise<CompleteResponse> =>
    context.send({ method: 'GET', path: resolvePath(endpoint, (await id?.(context)) ?? ''), query });
  const list = (context: RunContext, query: Query): Promise<CompleteResponse> => successful(page(context, query));
  /** Ids of successive pages until all expected ones were found; undefined if the `after` item was deleted meanwhile. */
  const tryWalk = async (
    context: RunContext,
    query: Query,
    expectedIds: readonly string[],
  ): Promise<readonly string[] | undefined> => {
    const walkedIds: string[] = [];
    for (let count = 0; count < MAX_PAGES; count++) {
      const after: Query = walkedIds.length === 0 ? [] : [['after', walkedIds.at(-1) ?? '']];
      const response = await page(context, [...query, ['limit', String(PAGE_SIZE)], ...after]);
      if (count > 0 && (response.status === 400 || response.status === 404)) return undefined;
      assertSuccess(response);
      const ids = listedIds(response);
      assertConforms(response, ids.length <= PAGE_SIZE, `A page of at most ${PAGE_SIZE} has ${ids.length} items.`);
      assertConforms(
        response,
        !ids.some((itemId) => walkedIds.includes(itemId)),
        'An item is repeated.',
        'Start the page after the item with the ID in after.',
      );
      walkedIds.push(...ids);
      if (valueAt(response.json, 'has_more') !== true || expectedIds.every((itemId) => walkedIds.includes(itemId)))
        return walkedIds;
      assertConforms(response, ids.length > 0, 'has_more is true, but the page is empty.');
    }
    throw new Skip(`the items of this run are not on the first ${MAX_PAGES} pages`);
  };
  const walk = async (
    context: RunContext,
    query: Query,
    expectedIds: readonly string[],
  ): Promise<readonly string[]> => {
    for (let attempts = 0; attempts < 4; attempts++) {
      const walkedIds = await tryWalk(context, query, expectedIds);
      if (walkedIds) return walkedIds;
    }
    throw new Violation('The ID of an item on the previous page is rejected as after.');
  };
  const paging = (name: string, init: Omit<CheckInit, 'section' | 'needs'>): Check =>
    check(endpoint, `paging.${name}`, { certainty: endpointCertainty(endpoint), phase, ...init, section, needs });
  const sorted = (ids: readonly string[]): string => ids.toSorted().join(' ');
  return [
    paging('ids', {
      title: 'first_id and last_id are the IDs at the ends of the page',
      weight: 2,
      async run(context) {
        const { query } = await createItems(context);
        const response = await list(context, [...query, ['limit', '2']]);
        const ids = listedIds(response);
        assertConforms(response, textAt(response.json, 'first_id') === ids[0], `first_id is not ${ids[0] ?? ''}.`);
        assertConforms(
          response,
          textAt(response.json, 'last_id') === ids.at(-1),
          `last_id is not ${ids.at(-1) ?? ''}.`,
        );
      },
    }),
    paging('limit', {
      title: 'limit is the maximum page size, and has_more reports further items',
      weight: 3,
      async run(context) {
        const { query, ids } = await createItems(context);
        const response = await list(context, [...query, ['limit', '1']]);
        assertConforms(
          response,
          listedIds(response).length === 1,
          `A page with limit 1 of ${ids.length} items has ${listedIds(response).length} items.`,
        );
        assertConforms(response, valueAt(response.json, 'has_more') === true, 'has_more is not true.');
      },
    }),
    paging('all', {
      title: 'Paging with after returns every item once',
      weight: 3,
      async run(context) {
        const { query, ids } = await createItems(context);
        const walkedIds = await walk(context, query, ids);
        const ownIds = walkedIds.filter((itemId) => ids.includes(itemId));
        if (sorted(ownIds) !== sorted(ids))
          throw new Violation(
            `Of ${ids.length} items ${new Set(ownIds).size} were listed, in ${ownIds.length} places.`,
          );
      },
    }),
    ...(hasOrder
      ? [
          paging('orders', {
            title: 'Paging in the two orders returns opposite sequences',
            weight: 3,
            async run(context) {
              const { query, ids } = await createItems(context);
              const [ascending, descending] = await Promise.all(
                ['asc', 'desc'].map(async (order) => walk(context, [...query, ['order', order]], ids)),
              );
              const ownIds = (walkedIds: readonly string[] = []): readonly string[] =>
                walkedIds.filter((itemId) => ids.includes(itemId));
              if (ownIds(ascending).join() !== ownIds(descending).toReversed().join())
                throw new Violation(
                  `Upwards ${ownIds(ascending).join(', ')}; downwards ${ownIds(descending).join(', ')}.`,
                );
            },
          }),
        ]
      : []),
    paging('default-order', {
      title: `The default order is ${defaultOrder === 'asc' ? 'oldest first' : 'newest first'}`,
      certainty: hasOrder && defaultOrder === 'asc' ? endpointCertainty(endpoint) : likelyOrOpinion(endpoint),
      weight: 2,
      async run(context) {
        const { query } = await createItems(context);
        const response = await list(context, query);
        const items = listAt(response.json, 'data');
        const times = items.map((item) => Number(valueAt(item, 'created') ?? valueAt(item, 'created_at') ?? 0));
        const isSorted = times.every(
          (time, index) =>
            index === 0 || (defaultOrder === 'asc' ? (times[index - 1] ?? 0) <= time : (times[index - 1] ?? 0) >= time),
        );
        assertConforms(response, isSorted, 'The times are not in that order.');
        if (!hasOrder) return;
        const explicitOrder = await list(context, [...query, ['order', defaultOrder]]);
        // Other checks may add items between the two requests.
        const [withOrder, without] = [listedIds(explicitOrder), listedIds(response)];
        const common = (ids: readonly string[], others: readonly string[]): string =>
          ids.filter((itemId) => others.includes(itemId)).join();
        assertConforms(
          response,
          common(withOrder, without) === common(without, withOrder),
          `It differs from order=${defaultOrder}.`,
        );
      },
    }),
    paging('after-unknown', {
      title: 'Rejects an unknown after',
      certainty: 'opinion',
      weight: 1,
      async run(context) {
        const path = resolvePath(endpoint, (await id?.(context)) ?? '');
        const response = await context.send({ method: 'GET', path, query: [['after', `nothing-${context.runId}`]] });
        assertClientError(response);
      },
    }),
  ];
}
