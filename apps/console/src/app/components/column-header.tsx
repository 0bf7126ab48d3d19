import { Table, UnstyledButton } from '@mantine/core';
import { minColumnWidth } from './columns.ts';
import type { Column, Direction } from './columns.ts';

interface Props<T> {
  readonly column: Column<T>;
  readonly width: number;
  /** The direction in which the rows are sorted by the column. */
  readonly direction: Direction | undefined;
  readonly onSort: (() => void) | undefined;
  readonly onResize: (width: number) => void;
}

const stepPixels = 16;

/** The header of a column: sorts the rows, and has a handle that changes the width. */
export function ColumnHeader<T>({ column, width, direction, onSort, onResize }: Props<T>) {
  const { header, numeric, isHeaderHidden } = column;
  const resize = (pixels: number): void => onResize(Math.max(minColumnWidth, Math.round(pixels)));
  const startDrag = (event: React.PointerEvent<HTMLElement>): void => {
    const { currentTarget: handle, pointerId, clientX: startX } = event;
    const startWidth = handle.parentElement?.offsetWidth ?? width;
    event.preventDefault();
    handle.setPointerCapture(pointerId);
    handle.onpointermove = ({ clientX }) => resize(startWidth + clientX - startX);
    handle.onlostpointercapture = () => (handle.onpointermove = null);
  };
  const ariaSort = direction === undefined ? undefined : direction === 'asc' ? 'ascending' : 'descending';
  return (
    <Table.Th scope="col" className={numeric === true ? 'number' : undefined} aria-sort={ariaSort}>
      {onSort === undefined ? (
        <span className={isHeaderHidden === true ? 'visually-hidden' : undefined}>{header}</span>
      ) : (
        <UnstyledButton className="sort" onClick={onSort}>
          {header}
          <span aria-hidden="true">{direction === 'asc' ? ' ↑' : direction === 'desc' ? ' ↓' : ''}</span>
        </UnstyledButton>
      )}
      <span
        className="resize"
        role="separator"
        aria-orientation="vertical"
        aria-label={`Width of ${header}`}
        aria-valuenow={width}
        aria-valuemin={minColumnWidth}
        tabIndex={0}
        onPointerDown={startDrag}
        onKeyDown={({ key }) => {
          if (key === 'ArrowLeft') resize(width - stepPixels);
          if (key === 'ArrowRight') resize(width + stepPixels);
        }}
      />
    </Table.Th>
  );
}
