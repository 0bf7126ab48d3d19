import { expect, test } from 'vitest';
import { paginate } from './paging.ts';
import type { Page } from './paging.ts';
import type { ApiPromise } from './transport/transport.ts';

function fakePages(pages: Record<string, Page>): {
  requestedCursors: (string | undefined)[];
  fetchPage: (after?: string) => ApiPromise<Page>;
} {
  const requestedCursors: (string | undefined)[] = [];
  return {
    requestedCursors,
    fetchPage(after) {
      requestedCursors.push(after);
      return toApiPromise(Promise.resolve(pages[after ?? 'start']!));
    },
  };
}

function toApiPromise(page: Promise<Page>): ApiPromise<Page> {
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
  const { requestedCursors, fetchPage } = fakePages({
    start: page(['a', 'b'], true, 'b'),
    b: page(['c'], true),
    c: page(['d'], false),
  });
  expect(await idsOf(paginate(fetchPage))).toEqual(['a', 'b', 'c', 'd']);
  expect(requestedCursors).toEqual([undefined, 'b', 'c']);
});

test('requests nothing until it is used, and no page that the loop does not reach', async () => {
  const { requestedCursors, fetchPage } = fakePages({ x: page(['a'], true) });
  const list = paginate(fetchPage, 'x');
  expect(requestedCursors).toEqual([]);
  for await (const item of list) {
    expect(item.id).toBe('a');
    break;
  }
  expect(requestedCursors).toEqual(['x']);
});

test('resolves with its first page, and does not request it again', async () => {
  const { requestedCursors, fetchPage } = fakePages({
    start: page(['a'], true),
    a: page(['b'], false),
  });
  const list = paginate(fetchPage);
  expect((await list).data).toEqual([{ id: 'a' }]);
  const sizes: number[] = [];
  for await (const each of list.pages()) sizes.push(each.data.length);
  expect(sizes).toEqual([1, 1]);
  expect(requestedCursors).toEqual([undefined, 'a']);
});

test('withResponse resolves with the first page and its response, and does not request it again', async () => {
  const { requestedCursors, fetchPage } = fakePages({ start: page(['a'], false) });
  const list = paginate(fetchPage);
  expect(await list.withResponse()).toMatchObject({ data: { data: [{ id: 'a' }] }, requestId: 'req_1' });
  await list;
  expect(requestedCursors).toEqual([undefined]);
});

test('ends at a page that does not advance', async () => {
  const sameCursor = fakePages({ start: page(['a'], true), a: page(['a'], true) });
  expect(await idsOf(paginate(sameCursor.fetchPage))).toEqual(['a', 'a']);
  const cursorCycle = fakePages({ start: page(['a'], true), a: page(['b'], true), b: page(['a'], true) });
  expect(await idsOf(paginate(cursorCycle.fetchPage))).toEqual(['a', 'b', 'a']);
  const empty = fakePages({ start: page([], true) });
  expect(await idsOf(paginate(empty.fetchPage))).toEqual([]);
});

test('catch and finally request the first page as await does', async () => {
  const failing = paginate(() => toApiPromise(Promise.reject(new Error('no page'))));
  expect(await failing.catch((error: unknown) => String(error))).toBe('Error: no page');
  const { requestedCursors, fetchPage } = fakePages({ start: page(['a'], false) });
  let ended = false;
  const first = paginate(fetchPage).finally(() => (ended = true));
  expect([(await first).data, ended, requestedCursors]).toEqual([[{ id: 'a' }], true, [undefined]]);
});

test('rejects with the error of the request for a page', async () => {
  const failing = paginate(() => toApiPromise(Promise.reject(new Error('no page'))));
  await expect(idsOf(failing)).rejects.toThrow('no page');
  await expect(failing).rejects.toThrow('no page');
});
