import { oneLine } from './controls.ts';
import type { Style, StyleName } from './style.ts';
import { fit, widthOf } from './width.ts';

/** A column of a table. */
export interface Column<Row> {
  readonly head: string;
  readonly right?: true;
  /** Truncated if the terminal is too narrow. For at most one column; without one, lines can be too long. */
  readonly shrinks?: true;
  cell(row: Row): string | number | null | undefined;
  /** The color of the cell on a terminal. */
  color?(row: Row): StyleName | undefined;
}

/** A table for terminals: aligned, with a header, not wider than the window. */
export function alignedTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  width: number,
  style: Style,
): string {
  const cells = rows.map((row) => columns.map((column) => oneLine(String(column.cell(row) ?? ''))));
  const widths = columns.map(({ head }, at) => Math.max(widthOf(head), ...cells.map((row) => widthOf(row[at] ?? ''))));
  const shrinking = columns.findIndex(({ shrinks }) => shrinks === true);
  const total = widths.reduce((sum, each) => sum + each, 2 * (widths.length - 1));
  if (shrinking !== -1 && total > width) {
    widths[shrinking] = Math.max(8, (widths[shrinking] ?? 0) - (total - width));
  }
  const line = (row: readonly string[], colors: readonly (StyleName | undefined)[]): string =>
    row
      .map((cell, at) => {
        const text = fit(cell, widths[at] ?? 0);
        const pad = ' '.repeat(Math.max(0, (widths[at] ?? 0) - widthOf(text)));
        const color = colors[at];
        const colored = color === undefined ? text : style(color, text);
        return columns[at]?.right === true ? pad + colored : colored + pad;
      })
      .join('  ')
      .trimEnd();
  const heads = line(
    columns.map(({ head }) => head),
    [],
  );
  const lines = cells.map((row, at) => line(row, colorsOf(rows[at], columns)));
  return `${[style('dim', heads), ...lines].join('\n')}\n`;
}

function colorsOf<Row>(row: Row | undefined, columns: readonly Column<Row>[]): readonly (StyleName | undefined)[] {
  return row === undefined ? [] : columns.map((column) => column.color?.(row));
}

/** A table for pipes: tab-separated, without a header, nothing truncated. */
export function tabbedTable<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  return rows.map((row) => `${columns.map(({ cell }) => oneLine(String(cell(row) ?? ''))).join('\t')}\n`).join('');
}
