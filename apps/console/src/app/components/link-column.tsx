import type { Column } from './columns.ts';
import type { ListName } from './detail-page.tsx';
import { RowLink } from './row-link.tsx';

/** A column with links to the pages of the rows. */
export function createLinkColumn<T extends { readonly id: string }>(
  header: string,
  list: ListName,
  textOf: (row: T) => string,
): Column<T> {
  return {
    header,
    grows: true,
    width: 220,
    cell: (row) => (
      <RowLink list={list} id={row.id}>
        <bdi>{textOf(row)}</bdi>
      </RowLink>
    ),
  };
}
