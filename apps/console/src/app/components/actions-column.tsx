import type { Column } from './data-table.tsx';

/** The last column of a table, with the buttons of each row. */
export function createActionsColumn<T>(buttons: (row: T) => React.ReactNode): Column<T> {
  return { header: 'Actions', pinned: true, cell: (row) => <div className="actions">{buttons(row)}</div> };
}
