import { expect, test } from 'vitest';
import { readMergedPage } from './merged-pages.ts';
import type { Cursors, ReadPage } from './merged-pages.ts';

/** A list of rows with these times, in pages of two. */
function listOf(name: string, times: readonly number[]): ReadPage<{ readonly id: string; readonly created: number }> {
  const rows = times.map((created, index) => ({ id: `${name}${index}`, created }));
  return async (after) => {
    const rest = rows.slice(after === undefined ? 0 : rows.findIndex(({ id }) => id === after) + 1);
    return { data: rest.slice(0, 2), has_more: rest.length > 2 };
  };
}

async function readAll(lists: Parameters<typeof readMergedPage>[0], order: 'asc' | 'desc') {
  const rows: { readonly id: string; readonly created: number }[] = [];
  let cursors: Cursors = [];
  for (let more = true; more;) {
    const page = await readMergedPage(lists, cursors, order);
    rows.push(...page.data);
    ({ cursors, has_more: more } = page);
  }
  return rows;
}

test('reads every row of several lists once, in the order of time', async () => {
  const times = { a: [9, 8, 8, 8, 3, 1], b: [8, 8, 8, 2], c: [], d: [20, 19, 18, 17, 16, 0] };
  const lists = Object.entries(times).map(([name, of]) => listOf(name, of));
  const rows = await readAll(lists, 'desc');
  expect(rows.map(({ created }) => created)).toEqual(
    Object.values(times)
      .flat()
      .toSorted((a, b) => b - a),
  );
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  const ascending = await readAll([listOf('a', [1, 2, 5]), listOf('b', [0, 2, 3, 9])], 'asc');
  expect(ascending.map(({ created }) => created)).toEqual([0, 1, 2, 2, 3, 5, 9]);
});

test('reads a single list page by page', async () => {
  const rows = await readAll([listOf('a', [5, 4, 3])], 'desc');
  expect(rows.map(({ id }) => id)).toEqual(['a0', 'a1', 'a2']);
});
