import type { NamedEntry } from '../api/names.ts';
import { SelectField } from './select-field.tsx';

interface Props {
  readonly label: string;
  /** The label of the option for no entry. */
  readonly emptyLabel: string;
  readonly entries: readonly NamedEntry[];
  readonly value: string;
  readonly onChange: (id: string) => void;
}

/** Selects a project or a key as a filter. */
export function NamedSelect({ label, emptyLabel, entries, value, onChange }: Props) {
  return (
    <SelectField<string>
      label={label}
      options={[{ value: '', label: emptyLabel }, ...entries.map(({ id, name }) => ({ value: id, label: name }))]}
      value={value}
      onChange={onChange}
    />
  );
}
