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
    <label className="field model">
      {label}
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        {options.length === 0 && <option value="">No models</option>}
        {options.map((model) => (
          <option key={model} value={model}>
            {model}
          </option>
        ))}
      </select>
    </label>
  );
}
