import { NativeSelect } from '@mantine/core';

interface Props {
  readonly label: string;
  readonly models: readonly string[];
  readonly value: string;
  readonly onChange: (model: string) => void;
}

/** Selects a model. The selected model is listed even if it is no longer served. */
export function ModelSelect({ label, models, value, onChange }: Props) {
  const options = value === '' || models.includes(value) ? models : [value, ...models];
  return (
    <NativeSelect
      className="model"
      label={label}
      data={options.length === 0 ? [{ value: '', label: 'No models' }] : [...options]}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
