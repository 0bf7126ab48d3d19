import { columnClass, ColumnHeaders } from './data-table.tsx';
import type { TableProps } from './data-table.tsx';

interface Props<T> extends Pick<TableProps<T>, 'label' | 'columns' | 'rows'> {
  readonly keyOf: (row: T, index: number) => string;
  /** Limits its height and scrolls the rest. */
  readonly isTall?: boolean;
}

/** A table that renders all of its rows. The first column contains the row headers. */
export function SmallTable<T>({ label, columns, rows, keyOf, isTall = false }: Props<T>) {
  return (
    <div className={isTall ? 'table-scroll tall' : 'table-scroll'} tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            <ColumnHeaders columns={columns} />
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={keyOf(row, index)}>
              {columns.map((column, columnIndex) =>
                columnIndex === 0 ? (
                  <th key={column.header} scope="row">
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.header} className={columnClass(column)}>
                    {column.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
