import { expect, it } from 'vitest';
import { fitColumns, sortRows } from './columns.ts';
import type { Column } from './columns.ts';

const column = (header: string, rest: Partial<Column<number>> = {}): Column<number> => ({
  header,
  cell: String,
  width: 100,
  ...rest,
});
const nothingChosen = { shown: {}, widths: {} };
const headers = (columns: readonly Column<number>[]): readonly string[] => columns.map(({ header }) => header);

it('leaves out the last columns of the lowest priority until the others fit', () => {
  const columns = [
    column('a'),
    column('b', { priority: 3 }),
    column('c', { priority: 2 }),
    column('d', { priority: 3 }),
  ];
  expect(headers(fitColumns(columns, nothingChosen, 400))).toEqual(['a', 'b', 'c', 'd']);
  expect(headers(fitColumns(columns, nothingChosen, 399))).toEqual(['a', 'b', 'c']);
  expect(headers(fitColumns(columns, nothingChosen, 200))).toEqual(['a', 'c']);
  expect(headers(fitColumns(columns, nothingChosen, 50))).toEqual(['a']);
});

it('shows optional columns only if they are chosen, with the chosen widths', () => {
  const columns = [column('a'), column('b', { isOptional: true })];
  expect(headers(fitColumns(columns, nothingChosen, 900))).toEqual(['a']);
  expect(headers(fitColumns(columns, { shown: { a: false, b: true }, widths: {} }, 900))).toEqual(['b']);
  const wide = { shown: {}, widths: { a: 500 } };
  expect(headers(fitColumns([column('a'), column('c', { priority: 2 })], wide, 550))).toEqual(['a']);
});

it('sorts numbers and texts in both directions, with missing values last', () => {
  const byValue = column('a', { sortBy: (value) => (value === 0 ? null : value) });
  expect(sortRows([2, 0, 10, 1], byValue, 'asc')).toEqual([1, 2, 10, 0]);
  expect(sortRows([2, 0, 10, 1], byValue, 'desc')).toEqual([10, 2, 1, 0]);
  expect(sortRows([2, 10], column('a', { sortBy: String }), 'asc')).toEqual([10, 2]);
  expect(sortRows([2, 10], undefined, 'asc')).toEqual([2, 10]);
});
