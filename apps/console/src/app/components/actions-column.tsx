import type { Column } from './columns.ts';

/** The last column of a table, with the buttons of each row. */
export function createActionsColumn<T>(width: number, buttons: (row: T) => React.ReactNode): Column<T> {
  return {
    header: 'Actions',
    isHeaderHidden: true,
    width,
    cell: (row) => <div className="actions">{buttons(row)}</div>,
  };
}
