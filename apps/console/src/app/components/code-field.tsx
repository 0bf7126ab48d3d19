import { Textarea } from '@mantine/core';

interface Props {
  readonly label: string;
  readonly placeholder?: string;
  /** Why the field cannot be used. */
  readonly disabledBecause?: string | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A field for JSON. */
export function CodeField({ disabledBecause, onChange, ...field }: Props) {
  return (
    <Textarea
      {...field}
      description={disabledBecause}
      disabled={disabledBecause !== undefined}
      rows={4}
      spellCheck={false}
      className="monospace"
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
