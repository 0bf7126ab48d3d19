import { describe, expect, test } from 'vitest';
import type { CompletionQuery, CompletionStore } from '../../completion-store.ts';
import { summarizeCompletion } from '../../completion-summary.ts';
import { openStores } from './open-stores.ts';
import type { StoresUnderTest } from './open-stores.ts';
import { appendAll, completionRecord, listAllIds } from './records.ts';
import { walkPages } from './walk-pages.ts';

const orders = ['asc', 'desc'] as const;

const appendAt = (store: CompletionStore, times: readonly number[]): Promise<string[]> =>
  appendAll(
    store,
    times.map((created) => ({ created, metadata: { all: 'yes' } })),
  );

export function describeCompletionPages(open: () => Promise<StoresUnderTest>): void {
  describe('a list of completions', () => {
    const { stores, project } = openStores(open);

    test('sorts by time, then by the order they were appended; desc reverses both', async () => {
      const { completions } = project();
      const times = [30, 10, 20, 10, 30, 10];
      const ids = await appendAt(completions, times);
      const sorted = [1, 3, 5, 2, 0, 4].map((index) => ids[index]);
      for (const filter of [{}, { model: 'small' }, { metadata: { all: 'yes' } }]) {
        for (const limit of [1, 2, 4, 6, 7]) {
          expect(await listAllIds(completions, { ...filter, limit, order: 'asc' })).toEqual(sorted);
          expect(await listAllIds(completions, { ...filter, limit, order: 'desc' })).toEqual(sorted.toReversed());
        }
      }
    });

    test('reports whether there are more', async () => {
      const { completions } = project();
      const ids = await appendAll(completions, [{}, {}, {}]);
      for (const order of orders) {
        expect(await completions.list({ limit: 2, order })).toMatchObject({ hasMore: true });
        expect(await completions.list({ limit: 3, order })).toMatchObject({ hasMore: false });
        const after = order === 'asc' ? ids[2] : ids[0];
        expect(await completions.list({ limit: 3, order, after })).toEqual({ items: [], hasMore: false });
      }
    });

    test('is empty for a project without completions', async () => {
      for (const order of orders) {
        expect(await project().completions.list({ limit: 20, order })).toEqual({ items: [], hasMore: false });
      }
    });

    test('is undefined after an unknown completion', async () => {
      const { completions } = project();
      await appendAll(completions, [{ metadata: { a: '1' } }]);
      for (const after of ['chatcmpl-none', '', '\0', "' or 1=1 --"]) {
        for (const filter of [{}, { model: 'small' }, { metadata: { a: '1' } }]) {
          expect(await completions.list({ ...filter, limit: 5, order: 'asc', after })).toBeUndefined();
        }
      }
    });

    test('resumes after a completion that does not match the filter', async () => {
      const { completions } = project();
      const ids = await appendAll(completions, [{ model: 'a' }, { model: 'b' }, { model: 'a' }]);
      const page = await completions.list({ model: 'a', limit: 5, order: 'asc', after: ids[1] });
      expect(page?.items.map(({ id }) => id)).toEqual([ids[2]]);
    });

    test('returns, page by page, everything that existed at the start exactly once, while others are added', async () => {
      for (const order of orders) {
        for (const filter of [{}, { metadata: { all: 'yes' }, model: 'small' }]) {
          const { completions } = project();
          const added = () => ({ created: 100 + Math.floor(Math.random() * 3), metadata: { all: 'yes' } });
          const existing = await appendAll(completions, Array.from({ length: 30 }, added));
          const seen = await listAllIds(completions, { ...filter, limit: 4, order }, async (page) => {
            // Adding a full page per read after the cursor would never end.
            if (page.length === 4)
              await Promise.all([appendAll(completions, [added()]), appendAll(completions, [added()])]);
          });
          expect(new Set(seen).size).toBe(seen.length);
          expect(seen.filter((id) => existing.includes(id))).toHaveLength(existing.length);
        }
      }
    });

    test('neither loses nor repeats completions that are appended concurrently', async () => {
      const { completions } = project();
      const records = Array.from({ length: 100 }, () => completionRecord({ metadata: { all: 'yes' } }));
      await Promise.all(records.map((record) => completions.append(record)));
      const ids = records.map(({ completion }) => completion.id).toSorted();
      const queries: Omit<CompletionQuery, 'after'>[] = [
        { limit: 7, order: 'asc' },
        { limit: 7, order: 'desc', metadata: { all: 'yes' } },
      ];
      for (const query of queries) expect((await listAllIds(completions, query)).toSorted()).toEqual(ids);
    });

    test('filters by time: from `createdFrom` on, before `createdBefore`, also after a completion outside', async () => {
      const { completions } = project();
      const times = [10, 20, 20, 30, 40, 40];
      const ids = await appendAt(completions, times);
      const ranges = [{}, { createdFrom: 20 }, { createdBefore: 40 }, { createdFrom: 20, createdBefore: 40 }] as const;
      for (const range of [...ranges, { createdFrom: 40, createdBefore: 20 }, { createdFrom: 21, createdBefore: 30 }]) {
        const { createdFrom, createdBefore } = { createdFrom: 0, createdBefore: 100, ...range };
        const inRange = (id: string): boolean => {
          const created = times[ids.indexOf(id)] ?? -1;
          return created >= createdFrom && created < createdBefore;
        };
        for (const filter of [{}, { model: 'small', metadata: { all: 'yes' } }]) {
          for (const order of orders) {
            const sorted = order === 'asc' ? ids : ids.toReversed();
            expect(await listAllIds(completions, { ...filter, ...range, limit: 1, order })).toEqual(
              sorted.filter(inRange),
            );
            for (const [index, after] of sorted.entries()) {
              const page = await completions.list({ ...filter, ...range, limit: 9, order, after });
              expect(page?.items.map(({ id }) => id)).toEqual(sorted.slice(index + 1).filter(inRange));
            }
          }
        }
      }
    });

    test('of summaries has the same pages, with an excerpt instead of the large fields', async () => {
      const { completions } = project();
      const ids = await appendAll(completions, [{ metadata: { a: '1' } }, {}, {}]);
      for (const order of orders) {
        const query = { limit: 2, order, createdFrom: 0 };
        const page = await completions.list(query);
        expect(await completions.listSummaries(query)).toEqual({
          items: page?.items.map(summarizeCompletion),
          hasMore: true,
        });
        const records = await completions.listRecords(query);
        expect(records?.items.map(({ completion }) => completion)).toEqual(page?.items);
        for (const { completion, messages } of records?.items ?? [])
          expect(await completions.messages(completion.id, { limit: 100, order: 'asc' })).toMatchObject({
            items: messages,
          });
      }
      await completions.setMetadata(ids[0] ?? '', { b: '2' });
      const [first] = (await completions.listSummaries({ limit: 1, order: 'asc', metadata: { b: '2' } }))?.items ?? [];
      expect(first).toMatchObject({ metadata: { b: '2' }, choices: [], excerpt: `Answer of ${ids[0]}` });
      expect(await completions.delete(ids[0] ?? '')).toBe(true);
      expect((await completions.listSummaries({ limit: 9, order: 'asc' }))?.items).toHaveLength(2);
      expect(await completions.listSummaries({ limit: 9, order: 'asc', after: 'chatcmpl-none' })).toBeUndefined();
    });

    test('filters by key and by finish reason, together with other filters', async () => {
      const { completions } = project();
      const ids = await appendAll(completions, [
        { apiKeyId: 'key_1', finishReason: 'stop' },
        { apiKeyId: 'key_1', finishReason: 'length' },
        { apiKeyId: 'key_2', finishReason: 'length', metadata: { a: '1' } },
        { finishReason: 'length' },
      ]);
      const find = async (query: Omit<CompletionQuery, 'limit' | 'order'>): Promise<unknown> => {
        const page = await completions.list({ ...query, limit: 5, order: 'asc' });
        return page?.items.map(({ id }) => ids.indexOf(id));
      };
      expect(await find({ apiKeyId: 'key_1' })).toEqual([0, 1]);
      expect(await find({ finishReason: 'length' })).toEqual([1, 2, 3]);
      expect(await find({ apiKeyId: 'key_1', finishReason: 'length' })).toEqual([1]);
      expect(await find({ finishReason: 'length', metadata: { a: '1' }, model: 'small' })).toEqual([2]);
      expect(await find({ apiKeyId: 'key_3' })).toEqual([]);
      // A change of the metadata keeps the other terms.
      await completions.setMetadata(ids[1] ?? '', { b: '2' });
      expect(await find({ apiKeyId: 'key_1', metadata: { b: '2' } })).toEqual([1]);
    });

    test('filters by model', async () => {
      const { completions } = project();
      const ids = await appendAll(completions, [{ model: 'a' }, { model: 'b' }, { model: 'A' }, { model: 'a' }]);
      const found = await completions.list({ model: 'a', limit: 5, order: 'asc' });
      expect(found?.items.map(({ id }) => id)).toEqual([ids[0], ids[3]]);
      expect((await completions.list({ model: 'c', limit: 5, order: 'asc' }))?.items).toEqual([]);
      expect((await completions.list({ model: '', limit: 5, order: 'asc' }))?.items).toEqual([]);
    });

    test('of all projects has those of each, sorted by time, with their project', async () => {
      const { allCompletions: all } = stores();
      if (!all) throw new Error('these stores do not read all projects');
      // A time that no other test uses.
      const time = 1_600_000_000;
      const range = { createdFrom: time, createdBefore: time + 100 };
      const names = ['all-a', 'all-b', 'all-c'] as const;
      const [a, b, c] = names.map((name) => stores().project(name).completions) as [
        CompletionStore,
        CompletionStore,
        CompletionStore,
      ];
      const append = async (store: CompletionStore, seconds: number, model = 'small'): Promise<string> => {
        const [id = ''] = await appendAll(store, [{ created: time + seconds, model, metadata: { of: 'all' } }]);
        return id;
      };
      const ids = [
        ...[await append(a, 5), await append(b, 5, 'large'), await append(a, 3), await append(c, 9)],
        ...[await append(b, 5), await append(b, 1), await append(a, 5)],
      ];
      const sorted = [5, 2, 0, 1, 4, 6, 3].map((index) => ids[index] ?? '');
      for (const limit of [1, 2, 3, 7, 8]) {
        for (const filter of [{}, { metadata: { of: 'all' } }]) {
          const walk = (order: 'asc' | 'desc') =>
            walkPages((after) => all.listSummaries({ ...range, ...filter, after, limit, order }));
          expect(await walk('asc')).toEqual(sorted);
          expect(await walk('desc')).toEqual(sorted.toReversed());
        }
      }
      const [large] = (await all.list({ ...range, limit: 5, order: 'asc', model: 'large' }))?.items ?? [];
      expect(large).toEqual({ ...(await b.get(ids[1] ?? '')), project_id: 'all-b' });
      expect(await all.get(ids[1] ?? '')).toEqual(large);
      expect((await all.messages(ids[1] ?? '', { limit: 5, order: 'asc' }))?.items).toHaveLength(1);
      // The list continues after one that was deleted.
      await a.delete(ids[0] ?? '');
      const rest = await all.list({ ...range, after: ids[0], limit: 5, order: 'asc' });
      expect(rest?.items.map(({ id }) => id)).toEqual(sorted.slice(3));
      for (const unknown of ['chatcmpl-none', '', '\0', "' or 1=1 --"]) {
        expect(await all.get(unknown)).toBeUndefined();
        expect(await all.messages(unknown, { limit: 5, order: 'asc' })).toBeUndefined();
        expect(await all.list({ ...range, after: unknown, limit: 5, order: 'asc' })).toBeUndefined();
      }
      for (const [store, id] of [
        [a, ids[2]],
        [a, ids[6]],
        [b, ids[1]],
        [b, ids[4]],
        [b, ids[5]],
        [c, ids[3]],
      ] as const)
        await store.delete(id ?? '');
    });
  });
}
