import { TextInput } from '@mantine/core';
interface Props {
  readonly label: string;
  /** Unix seconds; 0 if the field is empty. */
  readonly value: number;
  readonly onChange: (seconds: number) => void;
}

/** A date and time in the time zone of the browser. Applied on blur or Enter, since the value is incomplete while it is typed. */
export function TimeField({ label, value, onChange }: Props) {
  const apply = (text: string): void => {
    const seconds = parseLocalTime(text);
    if (seconds !== value) onChange(seconds);
  };
  return (
    <TextInput
      label={label}
      type="datetime-local"
      key={value}
      defaultValue={formatLocalTime(value)}
      onBlur={(event) => apply(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') apply(event.currentTarget.value);
      }}
    />
  );
}

/** The local time as the value of the field, such as `2026-11-23T09:30`. */
export function formatLocalTime(seconds: number): string {
  if (seconds === 0) return '';
  const local = new Date(seconds * 1000 - new Date(seconds * 1000).getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** Unix seconds of a local time; 0 for an empty or invalid value. */
export function parseLocalTime(text: string): number {
  const milliseconds = Date.parse(text);
  return Number.isNaN(milliseconds) ? 0 : Math.max(0, Math.floor(milliseconds / 1000));
}
