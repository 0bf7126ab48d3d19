type Value = string | number;

interface Props<Chosen extends Value> {
  readonly label: string;
  /** The values; with a label where it is not the value itself. */
  readonly options: readonly (Chosen | { readonly value: Chosen; readonly label: string })[];
  readonly value: NoInfer<Chosen>;
  readonly onChange: (value: Chosen) => void;
  readonly required?: boolean;
}

/** Chooses one of a list of values. */
export function SelectField<const Chosen extends Value>({
  label,
  options,
  value,
  onChange,
  required = false,
}: Props<Chosen>) {
  const entries = options.map((option) =>
    typeof option === 'object' ? option : { value: option, label: String(option) },
  );
  return (
    <label className="field">
      {label}
      <select
        value={value}
        required={required}
        onChange={(event) => {
          const chosen = entries.find((entry) => String(entry.value) === event.target.value);
          if (chosen) onChange(chosen.value);
        }}
      >
        {entries.map((entry) => (
          <option key={entry.value} value={entry.value}>
            {entry.label}
          </option>
        ))}
      </select>
    </label>
  );
}
