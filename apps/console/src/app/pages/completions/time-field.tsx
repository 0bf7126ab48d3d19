interface Props {
  readonly label: string;
  /** Unix seconds; 0 for no time. */
  readonly value: number;
  readonly onChange: (seconds: number) => void;
}

/** A date and time in the time zone of the browser. Leaving the field or Enter applies it: a time is incomplete while it is typed. */
export function TimeField({ label, value, onChange }: Props) {
  const apply = (text: string): void => {
    const seconds = secondsOf(text);
    if (seconds !== value) onChange(seconds);
  };
  return (
    <label className="field">
      {label}
      <input
        type="datetime-local"
        key={value}
        defaultValue={localText(value)}
        onBlur={(event) => apply(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') apply(event.currentTarget.value);
        }}
      />
    </label>
  );
}

/** The local time as the field has it, such as `2026-11-23T09:30`. */
export function localText(seconds: number): string {
  if (seconds === 0) return '';
  const local = new Date(seconds * 1000 - new Date(seconds * 1000).getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** Unix seconds of a local time; 0 for none. */
export function secondsOf(text: string): number {
  const milliseconds = Date.parse(text);
  return Number.isNaN(milliseconds) ? 0 : Math.max(0, Math.floor(milliseconds / 1000));
}
