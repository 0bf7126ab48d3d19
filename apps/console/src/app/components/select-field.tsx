import { NativeSelect } from '@mantine/core';

type Value = string | number;

interface Props<Option extends Value> {
  readonly label: string;
  /** The values; with a label if it differs from the value. */
  readonly options: readonly (Option | { readonly value: Option; readonly label: string })[];
  readonly value: NoInfer<Option>;
  readonly onChange: (value: Option) => void;
  readonly required?: boolean;
  /** Why the field cannot be used. */
  readonly disabledBecause?: string | undefined;
}

/** Selects a value from a list. The selected value is an option even if it is not in the list. */
export function SelectField<const Option extends Value>({
  label,
  options,
  value,
  onChange,
  required = false,
  disabledBecause,
}: Props<Option>) {
  const listed = options.map((option) =>
    typeof option === 'object' ? option : { value: option, label: String(option) },
  );
  const isListed = listed.some((entry) => entry.value === value);
  const entries = isListed ? listed : [...listed, { value, label: String(value) }];
  return (
    <NativeSelect
      label={label}
      required={required}
      description={disabledBecause}
      disabled={disabledBecause !== undefined}
      value={value}
      data={entries.map((entry) => ({ value: String(entry.value), label: entry.label }))}
      onChange={(event) => {
        const selected = entries.find((entry) => String(entry.value) === event.target.value);
        if (selected) onChange(selected.value);
      }}
    />
  );
}
