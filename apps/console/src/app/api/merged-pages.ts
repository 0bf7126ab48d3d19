/** A row of a list that is sorted by time. */
interface TimedRow {
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
}

/** Reads the page of a list that begins after a row. */
export type ReadPage<Row> = (
  after: string | undefined,
) => Promise<{ readonly data: readonly Row[]; readonly has_more: boolean }>;

/** The last row that was read of each list; undefined before the first page, null at the end of the list. */
export type Cursors = readonly (string | undefined | null)[];

/** A page of several lists, and where the next one begins. */
export interface MergedPage<Row> {
  readonly data: readonly Row[];
  readonly has_more: boolean;
  readonly cursors: Cursors;
}

/** Reads a page of several lists as if they were one. What one list returns beyond the end of another is read again with the next page. */
export async function readMergedPage<Row extends TimedRow>(
  lists: readonly ReadPage<Row>[],
  cursors: Cursors,
  order: 'asc' | 'desc',
): Promise<MergedPage<Row>> {
  const pages = await Promise.all(
    lists.map(async (read, index) => {
      const after = cursors[index];
      return after === null ? { data: [], has_more: false } : read(after);
    }),
  );
  const sign = order === 'asc' ? 1 : -1;
  const compare = (a: number, b: number): number => sign * (a - b);
  /** The rows up to here are complete. */
  const end = pages
    .flatMap(({ data, has_more }) => (has_more ? data.slice(-1) : []))
    .map(({ created }) => created)
    .toSorted(compare)[0];
  const parts = pages.map(({ data, has_more }, index) => {
    const rows = end === undefined ? data : data.filter(({ created }) => compare(created, end) <= 0);
    const isAtEnd = !has_more && rows.length === data.length;
    return { rows, cursor: isAtEnd ? null : (rows.at(-1)?.id ?? cursors[index]) };
  });
  return {
    data: parts.flatMap(({ rows }) => rows).toSorted((a, b) => compare(a.created, b.created)),
    has_more: parts.some(({ cursor }) => cursor !== null),
    cursors: parts.map(({ cursor }) => cursor),
  };
}
