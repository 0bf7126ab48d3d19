import { Button, Checkbox, Popover } from '@mantine/core';
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
  return (
    <Popover position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <Button variant="subtle" color="gray">
          Columns{omittedCount > 0 && ` (${omittedCount} do not fit)`}
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
