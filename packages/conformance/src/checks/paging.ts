import type { EndpointId } from '@modelwire/schema';
import { check } from '../check.ts';
import type { Check, CheckInit } from '../check.ts';
import { succeeded } from '../exchange/answer.ts';
import type { Answer } from '../exchange/answer.ts';
import { listAt, textAt, valueAt } from '../exchange/value.ts';
import { contract } from '@modelwire/schema';
import { pathOf } from '../world/calls.ts';
import type { World } from '../world/world.ts';
import { certaintyOf, likelyOrOpinion } from './shape.ts';
import { assertConforms, Skip, Violation } from '../verdict.ts';

export type Query = readonly (readonly [string, string])[];

export const idsOf = (answer: Answer): readonly string[] =>
  listAt(answer.json, 'data').map((item) => textAt(item, 'id') ?? '');

export interface PagingInit {
  readonly endpoint: EndpointId;
  readonly needs: readonly EndpointId[];
  /** The ID in the path, if it takes one. */
  readonly id?: (world: World) => Promise<string>;
  /** A filter for items that the run created, and at least three of their IDs. */
  readonly known: (world: World) => Promise<{ readonly query: Query; readonly ids: readonly string[] }>;
  /** Whether the endpoint has `order`. */
  readonly ordered: boolean;
  /** The default order. */
  readonly fallback: 'asc' | 'desc';
  readonly job?: boolean;
}

/** Small, so that few items make several pages. */
const PAGE = 2;
const PAGES_MAX = 200;

/** Pagination rules, equal for all lists. */
export function pagingChecks({
  endpoint,
  needs,
  id,
  known,
  ordered,
  fallback,
  job = false,
}: PagingInit): readonly Check[] {
  const { section } = contract[endpoint];
  const list = async (world: World, query: Query): Promise<Answer> => {
    const path = pathOf(endpoint, (await id?.(world)) ?? '');
    const answer = await world.send({ method: 'GET', path, query });
    assertConforms(answer, succeeded(answer), `The response has status ${answer.status}.`);
    return answer;
  };
  const page = async (world: World, query: Query): Promise<Answer> =>
    world.send({ method: 'GET', path: pathOf(endpoint, (await id?.(world)) ?? ''), query });
  /** Ids of successive pages until all expected ones were found; undefined if the `after` item was deleted meanwhile. */
  const attempt = async (
    world: World,
    query: Query,
    wanted: readonly string[],
  ): Promise<readonly string[] | undefined> => {
    const seen: string[] = [];
    for (let count = 0; count < PAGES_MAX; count++) {
      const after: Query = seen.length === 0 ? [] : [['after', seen.at(-1) ?? '']];
      const answer = await page(world, [...query, ['limit', String(PAGE)], ...after]);
      if (count > 0 && (answer.status === 400 || answer.status === 404)) return undefined;
      assertConforms(answer, succeeded(answer), `The response has status ${answer.status}.`);
      const ids = idsOf(answer);
      assertConforms(answer, ids.length <= PAGE, `A page of at most ${PAGE} has ${ids.length} items.`);
      assertConforms(answer, !ids.some((one) => seen.includes(one)), 'An item is repeated.', 'Start the page after the item with the ID in after.'); // prettier-ignore
      seen.push(...ids);
      if (valueAt(answer.json, 'has_more') !== true || wanted.every((one) => seen.includes(one))) return seen;
      assertConforms(answer, ids.length > 0, 'has_more is true, but the page is empty.');
    }
    throw new Skip(`the items of this run are not on the first ${PAGES_MAX} pages`);
  };
  const walk = async (world: World, query: Query, wanted: readonly string[]): Promise<readonly string[]> => {
    for (let tries = 0; tries < 4; tries++) {
      const seen = await attempt(world, query, wanted);
      if (seen) return seen;
    }
    throw new Violation('The ID of an item on the previous page is rejected as after.');
  };
  const paging = (name: string, init: Omit<CheckInit, 'section' | 'needs'>): Check =>
    check(endpoint, `paging.${name}`, { certainty: certaintyOf(endpoint), job, ...init, section, needs });
  const sorted = (ids: readonly string[]): string => ids.toSorted().join(' ');
  return [
    paging('ids', {
      title: 'first_id and last_id are the IDs at the ends of the page',
      weight: 2,
      async run(world) {
        const { query } = await known(world);
        const answer = await list(world, [...query, ['limit', '2']]);
        const ids = idsOf(answer);
        assertConforms(answer, textAt(answer.json, 'first_id') === ids[0], `first_id is not ${ids[0] ?? ''}.`);
        assertConforms(answer, textAt(answer.json, 'last_id') === ids.at(-1), `last_id is not ${ids.at(-1) ?? ''}.`);
      },
    }),
    paging('limit', {
      title: 'limit is the maximum page size, and has_more reports further items',
      weight: 3,
      async run(world) {
        const { query, ids } = await known(world);
        const answer = await list(world, [...query, ['limit', '1']]);
        assertConforms(
          answer,
          idsOf(answer).length === 1,
          `A page with limit 1 of ${ids.length} items has ${idsOf(answer).length} items.`,
        );
        assertConforms(answer, valueAt(answer.json, 'has_more') === true, 'has_more is not true.');
      },
    }),
    paging('all', {
      title: 'Paging with after returns every item once',
      weight: 3,
      async run(world) {
        const { query, ids } = await known(world);
        const seen = await walk(world, query, ids);
        const own = seen.filter((one) => ids.includes(one));
        if (sorted(own) !== sorted(ids)) throw new Violation(`Of ${ids.length} items ${new Set(own).size} were listed, in ${own.length} places.`); // prettier-ignore
      },
    }),
    ...(ordered
      ? [
          paging('orders', {
            title: 'Paging in the two orders returns opposite sequences',
            weight: 3,
            async run(world) {
              const { query, ids } = await known(world);
              const [up, down] = await Promise.all(
                ['asc', 'desc'].map(async (order) => walk(world, [...query, ['order', order]], ids)),
              );
              const own = (seen: readonly string[] = []): readonly string[] => seen.filter((one) => ids.includes(one));
              if (own(up).join() !== own(down).toReversed().join()) throw new Violation(`Upwards ${own(up).join(', ')}; downwards ${own(down).join(', ')}.`); // prettier-ignore
            },
          }),
        ]
      : []),
    paging('default-order', {
      title: `The default order is ${fallback === 'asc' ? 'oldest first' : 'newest first'}`,
      certainty: ordered && fallback === 'asc' ? certaintyOf(endpoint) : likelyOrOpinion(endpoint),
      weight: 2,
      async run(world) {
        const { query } = await known(world);
        const answer = await list(world, query);
        const items = listAt(answer.json, 'data');
        const times = items.map((item) => Number(valueAt(item, 'created') ?? valueAt(item, 'created_at') ?? 0));
        const right = times.every((time, index) => index === 0 || (fallback === 'asc' ? (times[index - 1] ?? 0) <= time : (times[index - 1] ?? 0) >= time)); // prettier-ignore
        assertConforms(answer, right, 'The times are not in that order.');
        if (!ordered) return;
        const said = await list(world, [...query, ['order', fallback]]);
        // Other checks may add items between the two requests.
        const [withOrder, without] = [idsOf(said), idsOf(answer)];
        const common = (ids: readonly string[], others: readonly string[]): string =>
          ids.filter((one) => others.includes(one)).join();
        assertConforms(
          answer,
          common(withOrder, without) === common(without, withOrder),
          `It differs from order=${fallback}.`,
        );
      },
    }),
    paging('after-unknown', {
      title: 'Rejects an unknown after',
      certainty: 'opinion',
      weight: 1,
      async run(world) {
        const path = pathOf(endpoint, (await id?.(world)) ?? '');
        const answer = await world.send({ method: 'GET', path, query: [['after', `nothing-${world.run}`]] });
        assertConforms(
          answer,
          answer.status >= 400 && answer.status < 500,
          `The response has status ${answer.status}.`,
        );
      },
    }),
  ];
}
