import { describe, expect, test } from 'vitest';
import type { Page, PageQuery } from '../../page.ts';
import type { ProjectStores, Stores } from '../../stores.ts';
import { openStores } from './open-stores.ts';
import type { StoresUnderTest } from './open-stores.ts';
import { walkPages } from './walk-pages.ts';
import { seconds } from './work-records.ts';

const orders = ['asc', 'desc'] as const;

export interface ListUnderTest {
  readonly name: string;
  /** Adds a record that was created at this time. Returns its ID. */
  add(stores: Stores, project: ProjectStores, created: number): Promise<string>;
  list(project: ProjectStores, query: PageQuery): Promise<Page<{ readonly id: string }> | undefined>;
}

/** The contract of every list that is sorted by time. */
export function describePages(open: () => Promise<StoresUnderTest>, { name, add, list }: ListUnderTest): void {
  describe(`a list of ${name}`, () => {
    const { stores, project } = openStores(open);
    const addAll = async (to: ProjectStores, times: readonly number[]): Promise<string[]> => {
      const ids: string[] = [];
      for (const time of times) ids.push(await add(stores(), to, seconds + time));
      return ids;
    };

    test('sorts by time, then by order of creation; desc reverses both', async () => {
      const mine = project();
      const ids = await addAll(mine, [30, 10, 20, 10, 30, 10]);
      const sorted = [1, 3, 5, 2, 0, 4].map((index) => ids[index]);
      for (const limit of [1, 2, 4, 6, 7]) {
        const listInOrder = (order: 'asc' | 'desc') => walkPages((after) => list(mine, { after, limit, order }));
        expect(await listInOrder('asc')).toEqual(sorted);
        expect(await listInOrder('desc')).toEqual(sorted.toReversed());
      }
    });

    test('reports whether there are more, and is undefined after an unknown item', async () => {
      const [mine, other] = [project(), project()];
      const ids = await addAll(mine, [0, 0, 0]);
      for (const order of orders) {
        expect(await list(mine, { limit: 2, order })).toMatchObject({ hasMore: true });
        expect(await list(mine, { limit: 3, order })).toMatchObject({ hasMore: false });
        const after = order === 'asc' ? ids[2] : ids[0];
        expect(await list(mine, { limit: 3, order, after })).toEqual({ items: [], hasMore: false });
        expect(await list(other, { limit: 3, order })).toEqual({ items: [], hasMore: false });
        expect(await list(other, { limit: 3, order, after })).toBeUndefined();
        for (const unknown of ['none', '', '\0', "' or 1=1 --"]) {
          expect(await list(mine, { limit: 3, order, after: unknown })).toBeUndefined();
        }
      }
    });

    test('returns, page by page, everything that existed at the start exactly once, while others are added', async () => {
      for (const order of orders) {
        const mine = project();
        const some = () => Math.floor(Math.random() * 3);
        const existing = await addAll(mine, Array.from({ length: 20 }, some));
        const seen = await walkPages(
          (after) => list(mine, { after, limit: 3, order }),
          async (page) => {
            // Adding a full page per read after the cursor would never end.
            if (page.length === 3) await Promise.all([addAll(mine, [some()]), addAll(mine, [some()])]);
          },
        );
        expect(new Set(seen).size).toBe(seen.length);
        expect(seen.filter((id) => existing.includes(id)).toSorted()).toEqual(existing.toSorted());
      }
    });

    test('neither loses nor repeats items that are added concurrently', async () => {
      const mine = project();
      const ids = await Promise.all(Array.from({ length: 40 }, () => add(stores(), mine, seconds)));
      for (const order of orders) {
        const seen = await walkPages((after) => list(mine, { after, limit: 7, order }));
        expect(seen.toSorted()).toEqual(ids.toSorted());
      }
    });
  });
}
