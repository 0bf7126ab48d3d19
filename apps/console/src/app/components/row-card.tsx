import type { Column } from './columns.ts';

interface Props<T> {
  readonly columns: readonly Column<T>[];
  readonly row: T;
  readonly selectBox: React.ReactNode;
}

/** A row of a table on a narrow screen: the widest column is the title, the others are facts below it. */
export function RowCard<T>({ columns, row, selectBox }: Props<T>) {
  const title = columns.find(({ grows }) => grows === true) ?? columns[0];
  return (
    <div className="row-card">
      <div className="row-card-title">
        {selectBox}
        {title?.cell(row)}
      </div>
      <dl className="inline">
        {columns
          .filter((column) => column !== title)
          .map(({ header, cell }) => (
            <div key={header}>
              <dt>{header}</dt>
              <dd>{cell(row)}</dd>
            </div>
          ))}
      </dl>
    </div>
  );
}
