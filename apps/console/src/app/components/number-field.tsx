interface Props {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Shown while the field is empty. */
  readonly placeholder?: string;
  readonly min?: number;
  /** Default: 1, which allows integers only. */
  readonly step?: number | 'any';
  readonly required?: boolean;
}

export function NumberField({ label, value, onChange, placeholder, min = 1, step = 1, required = false }: Props) {
  return (
    <label className="field">
      {label}
      <input
        type="number"
        min={min}
        step={step}
        placeholder={placeholder}
        value={value}
        required={required}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}
