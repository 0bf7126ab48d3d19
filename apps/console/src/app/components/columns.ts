export interface Column<T> {
  readonly header: string;
  readonly cell: (row: T) => React.ReactNode;
  readonly numeric?: boolean;
  /** Its cells are the headers of the rows. */
  readonly isRowHeader?: boolean;
  /** In pixels. Default: 130. */
  readonly width?: number;
  /** Takes the width that is left. */
  readonly grows?: boolean;
  /** Columns with a higher number are left out first if the table is narrow. Default: 1, which is always shown. */
  readonly priority?: 1 | 2 | 3;
  /** Its cells say by themselves what they are, such as buttons: only screen readers get the header. */
  readonly isHeaderHidden?: boolean;
  /** Shown only if it is chosen. */
  readonly isOptional?: boolean;
  /** The value to sort by, while all rows are loaded. */
  readonly sortBy?: (row: T) => string | number | null | undefined;
}

export type Direction = 'asc' | 'desc';

/** What the user chose for a table: columns by header, widths in pixels. */
export interface ColumnChoice {
  readonly shown: Readonly<Record<string, boolean>>;
  readonly widths: Readonly<Record<string, number>>;
}

export const minColumnWidth = 60;
/** The height of a row with two lines, in pixels. */
export const twoLineHeight = 48;

export function widthOf<T>({ header, width = 130 }: Column<T>, { widths }: ColumnChoice): number {
  return widths[header] ?? width;
}

export function isChosen<T>({ header, isOptional = false }: Column<T>, { shown }: ColumnChoice): boolean {
  return shown[header] ?? !isOptional;
}

/** The chosen columns that fit into the width: of those with the lowest priority, the last are left out first. */
export function fitColumns<T>(
  columns: readonly Column<T>[],
  choice: ColumnChoice,
  availableWidth: number,
): readonly Column<T>[] {
  const fitting = columns.filter((column) => isChosen(column, choice));
  const totalWidth = (): number => fitting.reduce((sum, column) => sum + widthOf(column, choice), 0);
  for (const priority of [3, 2]) {
    while (totalWidth() > availableWidth) {
      const index = fitting.findLastIndex((column) => column.priority === priority);
      if (index === -1) break;
      fitting.splice(index, 1);
    }
  }
  return fitting;
}

/** The rows in the order of a column. Rows without a value are last. */
export function sortRows<T>(rows: readonly T[], column: Column<T> | undefined, direction: Direction): readonly T[] {
  const sortBy = column?.sortBy;
  if (sortBy === undefined) return rows;
  const sign = direction === 'asc' ? 1 : -1;
  return rows.toSorted((a, b) => {
    const [x, y] = [sortBy(a), sortBy(b)];
    if (x === null || x === undefined || y === null || y === undefined) {
      return Number(x === null || x === undefined) - Number(y === null || y === undefined);
    }
    if (typeof x === 'number' && typeof y === 'number') return sign * (x - y);
    return sign * String(x).localeCompare(String(y));
  });
}
