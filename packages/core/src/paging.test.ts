import { expect, test } from 'vitest';
import { paginate } from './paging.ts';
import type { Page } from './paging.ts';
import type { ApiPromise } from './transport.ts';

function book(pages: Record<string, Page>): {
  asked: (string | undefined)[];
  fetchPage: (after?: string) => ApiPromise<Page>;
} {
  const asked: (string | undefined)[] = [];
  return {
    asked,
    fetchPage(after) {
      asked.push(after);
      return answer(Promise.resolve(pages[after ?? 'start']!));
    },
  };
}

function answer(page: Promise<Page>): ApiPromise<Page> {
  const withResponse: ApiPromise<Page>['withResponse'] = async () => ({
    data: await page,
    response: new Response(),
    requestId: 'req_1',
    attempts: [],
  });
  return Object.assign(page, { withResponse });
}

const page = (ids: string[], has_more: boolean, last_id?: string): Page => ({
  data: ids.map((id) => ({ id })),
  has_more,
  last_id,
});

async function idsOf(list: AsyncIterable<{ id: string }>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of list) ids.push(id);
  return ids;
}

test('iterates all items, requesting each page with the last ID of the one before', async () => {
  const { asked, fetchPage } = book({
    start: page(['a', 'b'], true, 'b'),
    b: page(['c'], true),
    c: page(['d'], false),
  });
  expect(await idsOf(paginate(fetchPage))).toEqual(['a', 'b', 'c', 'd']);
  expect(asked).toEqual([undefined, 'b', 'c']);
});

test('requests nothing until it is used, and no page that the loop does not reach', async () => {
  const { asked, fetchPage } = book({ x: page(['a'], true) });
  const list = paginate(fetchPage, 'x');
  expect(asked).toEqual([]);
  for await (const item of list) {
    expect(item.id).toBe('a');
    break;
  }
  expect(asked).toEqual(['x']);
});

test('resolves with its first page, and does not request it again', async () => {
  const { asked, fetchPage } = book({ start: page(['a'], true), a: page(['b'], false) });
  const list = paginate(fetchPage);
  expect((await list).data).toEqual([{ id: 'a' }]);
  const sizes: number[] = [];
  for await (const each of list.pages()) sizes.push(each.data.length);
  expect(sizes).toEqual([1, 1]);
  expect(asked).toEqual([undefined, 'a']);
});

test('withResponse resolves with the first page and its response, and does not request it again', async () => {
  const { asked, fetchPage } = book({ start: page(['a'], false) });
  const list = paginate(fetchPage);
  expect(await list.withResponse()).toMatchObject({ data: { data: [{ id: 'a' }] }, requestId: 'req_1' });
  await list;
  expect(asked).toEqual([undefined]);
});

test('ends at a page that does not advance', async () => {
  const standing = book({ start: page(['a'], true), a: page(['a'], true) });
  expect(await idsOf(paginate(standing.fetchPage))).toEqual(['a', 'a']);
  const circle = book({ start: page(['a'], true), a: page(['b'], true), b: page(['a'], true) });
  expect(await idsOf(paginate(circle.fetchPage))).toEqual(['a', 'b', 'a']);
  const empty = book({ start: page([], true) });
  expect(await idsOf(paginate(empty.fetchPage))).toEqual([]);
});

test('catch and finally request the first page as await does', async () => {
  const failing = paginate(() => answer(Promise.reject(new Error('no page'))));
  expect(await failing.catch((error: unknown) => String(error))).toBe('Error: no page');
  const { asked, fetchPage } = book({ start: page(['a'], false) });
  let ended = false;
  const first = paginate(fetchPage).finally(() => (ended = true));
  expect([(await first).data, ended, asked]).toEqual([[{ id: 'a' }], true, [undefined]]);
});

test('rejects with the error of the request for a page', async () => {
  const failing = paginate(() => answer(Promise.reject(new Error('no page'))));
  await expect(idsOf(failing)).rejects.toThrow('no page');
  await expect(failing).rejects.toThrow('no page');
});
