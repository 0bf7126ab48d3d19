import { Textarea } from '@mantine/core';

interface Props {
  readonly label: string;
  readonly placeholder?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A field for JSON. */
export function CodeField({ onChange, ...field }: Props) {
  return (
    <Textarea
      {...field}
      rows={4}
      spellCheck={false}
      className="monospace"
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
