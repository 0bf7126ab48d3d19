import { Button, Checkbox, Popover } from '@mantine/core';
import { Icon } from './icon.tsx';
import { quiet } from './quiet.ts';
import { isChosen } from './columns.ts';
import type { Column, ColumnChoice } from './columns.ts';

interface Props<T> {
  readonly columns: readonly Column<T>[];
  readonly visible: readonly Column<T>[];
  readonly choice: ColumnChoice;
  readonly onChange: (choice: ColumnChoice) => void;
}

/** Chooses the columns of a table. The button says how many chosen ones do not fit. */
export function ColumnMenu<T>({ columns, visible, choice, onChange }: Props<T>) {
  const omittedCount = columns.filter((column) => isChosen(column, choice)).length - visible.length;
  const label = omittedCount > 0 ? `Columns: ${omittedCount} more than fit` : 'Columns';
  return (
    <Popover position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <Button className="column-menu" {...quiet} size="compact-xs" aria-label={label} title={label}>
          <Icon path="M4 5h16v14H4zM10 5v14M15 5v14" />
          {omittedCount > 0 && `+${omittedCount}`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns">
        <div className="stack">
          {columns.map((column) => (
            <Checkbox
              key={column.header}
              label={column.header}
              checked={isChosen(column, choice)}
              onChange={(event) =>
                onChange({ ...choice, shown: { ...choice.shown, [column.header]: event.target.checked } })
              }
            />
          ))}
          <Button size="compact-xs" onClick={() => onChange({ shown: {}, widths: {} })}>
            Reset columns and widths
          </Button>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
