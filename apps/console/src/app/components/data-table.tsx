import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';

export interface Column<T> {
  readonly header: string;
  readonly cell: (row: T) => React.ReactNode;
  readonly numeric?: boolean;
  /** Stays in view while a wide table is scrolled. */
  readonly pinned?: boolean;
}

/** Rows that are selected with check boxes. */
export interface Selection {
  readonly keys: ReadonlySet<string>;
  readonly onChange: (keys: ReadonlySet<string>) => void;
}

export interface TableProps<T> {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  /** Adds a column of check boxes. */
  readonly selection?: Selection;
  readonly hasMore?: boolean;
  readonly isLoadingMore?: boolean;
  /** Called when the end of the list scrolls into view. */
  readonly onEndReached?: () => void;
}

const rowHeight = 43;

/** A table that renders only the visible rows. The next page of the list is loaded when its end scrolls into view. */
export function DataTable<T>({
  label,
  columns,
  rows,
  keyOf,
  selection,
  hasMore = false,
  isLoadingMore = false,
  onEndReached,
}: TableProps<T>) {
  const scrollContainer = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scrollContainer.current,
    estimateSize: () => rowHeight,
    overscan: 6,
  });
  const visibleItems = virtualizer.getVirtualItems();
  const lastIndex = visibleItems.at(-1)?.index ?? -1;
  const isAtEnd = hasMore && !isLoadingMore && lastIndex >= rows.length - 10;
  useEffect(() => {
    if (isAtEnd) onEndReached?.();
  }, [isAtEnd, rows.length, onEndReached]);

  const columnCount = columns.length + (selection === undefined ? 0 : 1);
  const heightBefore = visibleItems[0]?.start ?? 0;
  const heightAfter = virtualizer.getTotalSize() - (visibleItems.at(-1)?.end ?? 0);
  return (
    <div ref={scrollContainer} className="table-scroll tall" tabIndex={0} role="region" aria-label={label}>
      <table className="rows" aria-rowcount={hasMore ? -1 : rows.length + 1}>
        <thead>
          <tr>
            {selection !== undefined && (
              <th scope="col">
                <input
                  type="checkbox"
                  aria-label="Select all rows that are loaded"
                  checked={rows.length > 0 && rows.every((row) => selection.keys.has(keyOf(row)))}
                  onChange={(event) => selection.onChange(new Set(event.target.checked ? rows.map(keyOf) : []))}
                />
              </th>
            )}
            <ColumnHeaders columns={columns} />
          </tr>
        </thead>
        <tbody>
          <Spacer height={heightBefore} columns={columnCount} />
          {visibleItems.map(({ index }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <tr key={keyOf(row)} aria-rowindex={index + 2}>
                {selection !== undefined && (
                  <td>
                    <input
                      type="checkbox"
                      aria-label={`Select ${keyOf(row)}`}
                      checked={selection.keys.has(keyOf(row))}
                      onChange={() => selection.onChange(withToggled(selection.keys, keyOf(row)))}
                    />
                  </td>
                )}
                {columns.map((column) => (
                  <td key={column.header} className={columnClass(column)}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            );
          })}
          <Spacer height={heightAfter} columns={columnCount} />
        </tbody>
      </table>
      {isLoadingMore && <p className="loading">Loading…</p>}
    </div>
  );
}

/** The cells of the first row of a table. */
export function ColumnHeaders<T>({ columns }: { readonly columns: readonly Column<T>[] }) {
  return columns.map((column) => (
    <th key={column.header} scope="col" className={columnClass(column)}>
      {column.header}
    </th>
  ));
}

export function columnClass<T>({ numeric, pinned }: Column<T>): string | undefined {
  if (pinned === true) return 'pinned';
  return numeric === true ? 'number' : undefined;
}

function withToggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const toggled = new Set(keys);
  if (!toggled.delete(key)) toggled.add(key);
  return toggled;
}

/** Fills the height of the rows that are not rendered, so that the scroll bar reflects the whole list. */
function Spacer({ height, columns }: { readonly height: number; readonly columns: number }) {
  if (height <= 0) return null;
  return (
    <tr className="spacer" aria-hidden="true">
      <td colSpan={columns} style={{ height }} />
    </tr>
  );
}
