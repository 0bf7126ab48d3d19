import { TextInput } from '@mantine/core';

interface Props {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Shown while the field is empty. */
  readonly placeholder?: string;
  readonly min?: number;
  /** Default: 1, which allows integers only. */
  readonly step?: number | 'any';
}

export function NumberField({ value, onChange, min = 1, step = 1, ...field }: Props) {
  return (
    <TextInput
      {...field}
      type="number"
      min={min}
      step={step}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
