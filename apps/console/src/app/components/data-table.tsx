import { Checkbox, Table } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import { ColumnHeader } from './column-header.tsx';
import { ColumnMenu } from './column-menu.tsx';
import { fitColumns, isChosen, sortRows, widthOf } from './columns.ts';
import type { Column, Direction } from './columns.ts';
import { RowCard } from './row-card.tsx';
import { useColumnChoice } from './use-column-choice.ts';
import { useElementWidth } from './use-element-width.ts';

/** Rows that are selected with check boxes. */
interface Selection<T> {
  readonly keys: ReadonlySet<string>;
  /** Default: all rows. */
  readonly isSelectable?: (row: T) => boolean;
  readonly onChange: (keys: ReadonlySet<string>) => void;
}

export interface TableProps<T> {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T, index: number) => string;
  /** Adds a column of check boxes. */
  readonly selection?: Selection<T>;
  /** The column by which the server sorts. */
  readonly order?: {
    readonly header: string;
    readonly direction: Direction;
    readonly onChange: (direction: Direction) => void;
  };
  /** The row that is open beside the table. */
  readonly currentKey?: string | undefined;
  readonly onOpen?: (row: T) => void;
  /** In pixels. Default: one line. */
  readonly rowHeight?: number;
  readonly hasMore?: boolean;
  readonly isLoadingMore?: boolean;
  /** Called when the end of the list scrolls into view. */
  readonly onEndReached?: () => void;
}

/** Narrower tables show their rows as cards. */
const minTableWidth = 480;
const selectionWidth = 40;
/** The width of the button for the choice of columns, beside the last header. */
const menuWidth = 56;

/**
 * A table that renders only the visible rows, with columns that are sorted, resized and chosen. Columns that do not fit are left out by
 * priority. The next page of the list is loaded when its end scrolls into view.
 */
export function DataTable<T>({
  label,
  columns,
  rows,
  keyOf,
  selection,
  order,
  currentKey,
  onOpen,
  rowHeight = 36,
  hasMore = false,
  isLoadingMore = false,
  onEndReached,
}: TableProps<T>) {
  const scrollContainer = useRef<HTMLDivElement>(null);
  const { ref: sizeRef, width } = useElementWidth();
  const [choice, setChoice] = useColumnChoice(label);
  const [sort, setSort] = useState<{ readonly header: string; readonly direction: Direction }>();
  const isNarrow = width > 0 && width < minTableWidth;
  // With a few columns that fit there is nothing to choose.
  const hasChoice = columns.length > 5 || columns.some(({ isOptional }) => isOptional === true);
  const reservedWidth = (selection === undefined ? 0 : selectionWidth) + (hasChoice ? menuWidth : 0);
  const visible = isNarrow
    ? columns.filter((column) => isChosen(column, choice))
    : fitColumns(columns, choice, width - reservedWidth);
  const sorted = hasMore
    ? rows
    : sortRows(
        rows,
        columns.find(({ header }) => header === sort?.header),
        sort?.direction ?? 'asc',
      );
  const virtualizer = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => scrollContainer.current,
    estimateSize: () => (isNarrow ? 130 : rowHeight),
    overscan: 6,
  });
  const visibleItems = virtualizer.getVirtualItems();
  const lastIndex = visibleItems.at(-1)?.index ?? -1;
  const isAtEnd = hasMore && !isLoadingMore && lastIndex >= rows.length - 10;
  useEffect(() => {
    if (isAtEnd) onEndReached?.();
  }, [isAtEnd, rows.length, onEndReached]);
  useEffect(() => virtualizer.measure(), [isNarrow, virtualizer]);

  const heightBefore = visibleItems[0]?.start ?? 0;
  const heightAfter = virtualizer.getTotalSize() - (visibleItems.at(-1)?.end ?? 0);
  const shownRows = visibleItems.flatMap(({ index }) => {
    const row = sorted[index];
    return row === undefined ? [] : [{ row, index, key: keyOf(row, index) }];
  });
  const sortOf = (column: Column<T>): Direction | undefined => {
    if (column.header === order?.header) return order.direction;
    return column.header === sort?.header && !hasMore ? sort.direction : undefined;
  };
  const sorterOf = (column: Column<T>): (() => void) | undefined => {
    const next = sortOf(column) === 'desc' ? 'asc' : 'desc';
    if (column.header === order?.header) return () => order.onChange(next);
    if (column.sortBy === undefined || hasMore) return undefined;
    return () => setSort({ header: column.header, direction: next });
  };
  const selectable = rows.filter((row) => selection?.isSelectable?.(row) ?? true);
  const selectBox = (row: T, key: string): React.ReactNode =>
    selection !== undefined &&
    (selection.isSelectable?.(row) ?? true) && (
      <Checkbox
        aria-label={`Select ${key}`}
        checked={selection.keys.has(key)}
        onChange={() => selection.onChange(withToggled(selection.keys, key))}
      />
    );
  return (
    <div className="data-table" ref={sizeRef}>
      {hasChoice && !isNarrow && (
        <ColumnMenu columns={columns} visible={visible} choice={choice} onChange={setChoice} />
      )}
      <div ref={scrollContainer} className="table-scroll" tabIndex={0} role="region" aria-label={label}>
        {isNarrow ? (
          <ul className="cards" aria-label={`${label}, cards`}>
            <li aria-hidden="true" style={{ height: heightBefore }} />
            {shownRows.map(({ row, index, key }) => (
              <li key={key} ref={virtualizer.measureElement} data-index={index}>
                <RowCard columns={visible} row={row} selectBox={selectBox(row, key)} />
              </li>
            ))}
            <li aria-hidden="true" style={{ height: heightAfter }} />
          </ul>
        ) : (
          <Table
            layout="fixed"
            className={hasChoice ? 'with-menu' : undefined}
            aria-rowcount={hasMore ? -1 : rows.length + 1}
          >
            <colgroup>
              {selection !== undefined && <col style={{ width: selectionWidth }} />}
              {visible.map((column) => (
                <col
                  key={column.header}
                  style={
                    column.grows === true && !(column.header in choice.widths)
                      ? {}
                      : { width: widthOf(column, choice) + (hasChoice && column === visible.at(-1) ? menuWidth : 0) }
                  }
                />
              ))}
            </colgroup>
            <Table.Thead>
              <Table.Tr>
                {selection !== undefined && (
                  <Table.Th scope="col">
                    <Checkbox
                      aria-label="Select all loaded rows"
                      checked={
                        selectable.length > 0 && selectable.every((row, index) => selection.keys.has(keyOf(row, index)))
                      }
                      onChange={(event) =>
                        selection.onChange(new Set(event.target.checked ? selectable.map(keyOf) : []))
                      }
                    />
                  </Table.Th>
                )}
                {visible.map((column) => (
                  <ColumnHeader
                    key={column.header}
                    column={column}
                    width={widthOf(column, choice)}
                    direction={sortOf(column)}
                    onSort={sorterOf(column)}
                    onResize={(pixels) =>
                      setChoice({ ...choice, widths: { ...choice.widths, [column.header]: pixels } })
                    }
                  />
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              <Spacer height={heightBefore} />
              {shownRows.map(({ row, index, key }) => (
                <Table.Tr
                  key={key}
                  h={rowHeight}
                  aria-rowindex={index + 2}
                  aria-current={key === currentKey ? 'true' : undefined}
                  className={onOpen === undefined ? undefined : 'opens'}
                  onClick={onOpen === undefined ? undefined : (event) => openUnlessControl(event, () => onOpen(row))}
                >
                  {selection !== undefined && <Table.Td>{selectBox(row, key)}</Table.Td>}
                  {visible.map((column) => {
                    const Cell = column.isRowHeader === true ? Table.Th : Table.Td;
                    return (
                      <Cell
                        key={column.header}
                        scope={column.isRowHeader === true ? 'row' : undefined}
                        className={column.numeric === true ? 'number' : undefined}
                      >
                        {column.cell(row)}
                      </Cell>
                    );
                  })}
                </Table.Tr>
              ))}
              <Spacer height={heightAfter} />
            </Table.Tbody>
          </Table>
        )}
        {isLoadingMore && <p className="loading">Loading…</p>}
      </div>
    </div>
  );
}

/** Opens a row that was clicked, unless the click was for a control in it. */
function openUnlessControl({ target }: React.MouseEvent, open: () => void): void {
  if (target instanceof Element && target.closest('a, button, input, label') === null) open();
}

function withToggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const toggled = new Set(keys);
  if (!toggled.delete(key)) toggled.add(key);
  return toggled;
}

/** Fills the height of the rows that are not rendered, so that the scroll bar reflects the whole list. */
function Spacer({ height }: { readonly height: number }) {
  if (height <= 0) return null;
  return (
    <tr className="spacer" aria-hidden="true">
      <td style={{ height }} />
    </tr>
  );
}
