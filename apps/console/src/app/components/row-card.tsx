import type { Column } from './columns.ts';

interface Props<T> {
  readonly columns: readonly Column<T>[];
  readonly row: T;
  readonly selectBox: React.ReactNode;
}

/** Facts of columns that are wider than this take a whole line. */
const halfLineWidth = 150;

/**
 * A row of a table on a narrow screen: its header or widest column is the title, the others are facts below it, in two columns. Those of
 * the lowest priority are folded.
 */
export function RowCard<T>({ columns, row, selectBox }: Props<T>) {
  const title =
    columns.find(({ isRowHeader }) => isRowHeader === true) ??
    columns.find(({ grows }) => grows === true) ??
    columns[0];
  const others = columns.filter((column) => column !== title);
  const facts = others.filter(({ isHeaderHidden }) => isHeaderHidden !== true);
  const folded = facts.filter(({ priority }) => priority === 3);
  return (
    <div className="row-card">
      <div className="row-card-title">
        {selectBox}
        {title?.cell(row)}
      </div>
      <Facts columns={facts.filter(({ priority }) => priority !== 3)} row={row} />
      {folded.length > 0 && (
        <details>
          <summary>More</summary>
          <Facts columns={folded} row={row} />
        </details>
      )}
      {others
        .filter(({ isHeaderHidden }) => isHeaderHidden === true)
        .map(({ header, cell }) => (
          <div key={header}>{cell(row)}</div>
        ))}
    </div>
  );
}

function Facts<T>({ columns, row }: Pick<Props<T>, 'columns' | 'row'>) {
  return (
    <dl className="row-card-facts">
      {columns.map(({ header, width = 0, cell }) => (
        <div key={header} className={width > halfLineWidth ? 'wide' : undefined}>
          <dt>{header}</dt>
          <dd>{cell(row)}</dd>
        </div>
      ))}
    </dl>
  );
}
