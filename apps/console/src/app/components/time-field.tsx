import { TextInput } from '@mantine/core';
import { fromLocalTime, toLocalTime } from './local-time.ts';

interface Props {
  readonly label: string;
  /** Unix seconds; 0 if the field is empty. */
  readonly value: number;
  readonly onChange: (seconds: number) => void;
}

/** A date and time in the time zone of the browser. Applied on blur or Enter, since the value is incomplete while it is typed. */
export function TimeField({ label, value, onChange }: Props) {
  const apply = (text: string): void => {
    const seconds = Math.max(0, fromLocalTime(text) ?? 0);
    if (seconds !== value) onChange(seconds);
  };
  return (
    <TextInput
      label={label}
      type="datetime-local"
      key={value}
      defaultValue={toLocalTime(value === 0 ? null : value)}
      onBlur={(event) => apply(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') apply(event.currentTarget.value);
      }}
    />
  );
}
