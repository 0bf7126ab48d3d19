import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';

export interface Column<T> {
  readonly header: string;
  readonly cell: (row: T) => React.ReactNode;
  readonly numeric?: boolean;
  /** Stays in view while a wide table is scrolled. */
  readonly pinned?: boolean;
}

interface Props<T> {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  readonly hasMore?: boolean;
  readonly isLoadingMore?: boolean;
  /** Called when the end of the list comes into view. */
  readonly onEndReached?: () => void;
}

const rowHeight = 43;

/** A table of which only the visible rows are in the page. The next page of the list loads when its end comes into view. */
export function DataTable<T>({
  label,
  columns,
  rows,
  keyOf,
  hasMore = false,
  isLoadingMore = false,
  onEndReached,
}: Props<T>) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 6,
  });
  const visible = virtualizer.getVirtualItems();
  const lastIndex = visible.at(-1)?.index ?? -1;
  const isAtEnd = hasMore && !isLoadingMore && lastIndex >= rows.length - 10;
  useEffect(() => {
    if (isAtEnd) onEndReached?.();
  }, [isAtEnd, rows.length, onEndReached]);

  const before = visible[0]?.start ?? 0;
  const after = virtualizer.getTotalSize() - (visible.at(-1)?.end ?? 0);
  return (
    <div ref={scroller} className="table-scroll tall" tabIndex={0} role="region" aria-label={label}>
      <table className="rows" aria-rowcount={hasMore ? -1 : rows.length + 1}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.header} scope="col" className={classOf(column)}>
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Spacer height={before} columns={columns.length} />
          {visible.map(({ index }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <tr key={keyOf(row)} aria-rowindex={index + 2}>
                {columns.map((column) => (
                  <td key={column.header} className={classOf(column)}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            );
          })}
          <Spacer height={after} columns={columns.length} />
        </tbody>
      </table>
      {isLoadingMore && <p className="loading">Loading…</p>}
    </div>
  );
}

function classOf<T>({ numeric, pinned }: Column<T>): string | undefined {
  if (pinned === true) return 'pinned';
  return numeric === true ? 'number' : undefined;
}

/** Keeps the scroll bar at the length of the whole list. */
function Spacer({ height, columns }: { readonly height: number; readonly columns: number }) {
  if (height <= 0) return null;
  return (
    <tr className="spacer" aria-hidden="true">
      <td colSpan={columns} style={{ height }} />
    </tr>
  );
}
