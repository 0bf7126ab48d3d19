import { describe, expect, test } from 'vitest';
import type { CompletionQuery } from '../../completion-store.ts';
import type { ProjectStores } from '../../stores.ts';
import { createRecord } from './create-record.ts';
import { filesOfPurpose } from './files.ts';
import { openStores } from './open-stores.ts';
import type { StoresUnderTest } from './open-stores.ts';
import type { ListUnderTest } from './pages.ts';
import { completionRecord } from './records.ts';
import { videoList } from './videos.ts';
import { fileRecord, now, seconds } from './work-records.ts';

interface Removable extends ListUnderTest {
  remove(project: ProjectStores, id: string): Promise<boolean>;
}

const dayMs = 86_400_000;
/** Long after all records of these lists have expired. */
const afterExpiryMs = (seconds + 10_000) * 1000;

function completions(name: string, filter: Pick<CompletionQuery, 'model' | 'metadata'>): Removable {
  return {
    name,
    async add(_, { completions: store }, created) {
      const record = completionRecord({ created, model: 'small', metadata: { a: '1', b: '2' } });
      await store.append(record);
      return record.completion.id;
    },
    list: ({ completions: store }, query) => store.list({ ...query, ...filter }),
    remove: ({ completions: store }, id) => store.delete(id),
  };
}

const lists: readonly Removable[] = [
  completions('completions', {}),
  completions('completions of a model', { model: 'small' }),
  completions('completions with pairs of metadata', { metadata: { a: '1', b: '2' } }),
  { ...filesOfPurpose, remove: ({ files }, id) => files.delete(id, now) },
  { ...videoList, remove: ({ videos }, id) => videos.delete(id, now) },
];

/** Lists whose records are removed while they are listed. */
export function describeDeletedCursors(open: () => Promise<StoresUnderTest>): void {
  describe.each(lists)('a list of $name', ({ name, add, list, remove }) => {
    const { stores, project, reopen } = openStores(open);
    const addAll = async (to: ProjectStores, times: readonly number[]): Promise<string[]> => {
      const ids: string[] = [];
      for (const time of times) ids.push(await add(stores(), to, seconds + time));
      return ids;
    };

    test.each(['asc', 'desc'] as const)(
      'a %s iteration that removes each page returns each item once',
      async (order) => {
        const mine = project();
        const ids = await addAll(mine, [2, 0, 1, 0, 2, 0, 1]);
        for (const limit of [1, 2, 3]) {
          const seen: string[] = [];
          for (let more = true; more;) {
            const page = await list(mine, { after: seen.at(-1), limit, order });
            if (!page) throw new Error('the cursor is unknown');
            seen.push(...page.items.map(({ id }) => id));
            for (const { id } of page.items) expect(await remove(mine, id)).toBe(true);
            more = page.hasMore;
          }
          expect(seen.toSorted()).toEqual(ids.toSorted());
          expect(await list(mine, { limit, order })).toEqual({ items: [], hasMore: false });
          ids.splice(0, ids.length, ...(await addAll(mine, [1, 0, 2])));
        }
      },
    );

    test('resumes after an expired item, also after a restart, and only within its project', async () => {
      const projectName = `deleted cursors of ${name}`;
      const [first = ''] = await addAll(stores().project(projectName), [0, 1]);
      await stores().removeExpired({ completionsBefore: seconds + 10_000, now: afterExpiryMs, limit: 1000 });
      await reopen();
      const mine = stores().project(projectName);
      expect(await list(mine, { limit: 9, order: 'asc' })).toEqual({ items: [], hasMore: false });
      const [third] = await addAll(mine, [2]);
      const query = { after: first, limit: 9, order: 'asc' } as const;
      expect(await list(mine, query)).toMatchObject({ items: [{ id: third }] });
      expect(await list(project(), query)).toBeUndefined();
    });

    test('forgets the cursors of removed items after a day', async () => {
      const mine = project();
      const [first = '', second] = await addAll(mine, [0, 1]);
      expect(await remove(mine, first)).toBe(true);
      const after = async () => (await list(mine, { after: first, limit: 9, order: 'asc' }))?.items.map(({ id }) => id);
      expect(await after()).toEqual([second]);
      const removeAfter = async (age: number) => {
        const init = { completionsBefore: undefined, now: Date.now() + age, limit: 1 };
        while ((await stores().removeExpired(init)) > 0);
      };
      await removeAfter(dayMs - 60_000);
      expect(await list(mine, { after: first, limit: 9, order: 'asc' })).toBeDefined();
      await removeAfter(dayMs + 60_000);
      expect(await list(mine, { after: first, limit: 9, order: 'asc' })).toBeUndefined();
    });
  });

  describe('a cursor of one list', () => {
    const { project } = openStores(open);

    test('is unknown in another', async () => {
      const { files, videos } = project();
      const record = await createRecord(files, fileRecord());
      await files.delete(record.file.id, now);
      const query = { after: record.file.id, limit: 1, order: 'asc', now: seconds } as const;
      expect(await files.list(query)).toEqual({ items: [], hasMore: false });
      expect(await videos.list(query)).toBeUndefined();
    });
  });
}
