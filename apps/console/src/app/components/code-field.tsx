import { Textarea } from '@mantine/core';
import { jsonParts, jsonProblem } from './json-parts.ts';

interface Props {
  readonly label: string;
  readonly placeholder?: string;
  /** What the JSON has to be. Default: an object. */
  readonly expected?: 'array' | 'object';
  /** Why the field cannot be used. */
  readonly disabledBecause?: string | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A field for JSON, which is highlighted, and validated while it is edited: an error that appears on blur would move the button that is clicked. */
export function CodeField({ expected = 'object', disabledBecause, value, onChange, ...field }: Props) {
  return (
    <Textarea
      {...field}
      value={value}
      description={disabledBecause}
      disabled={disabledBecause !== undefined}
      error={jsonProblem(value, expected)}
      spellCheck={false}
      // The text of the field is transparent: what is seen is the highlighted copy behind it.
      inputContainer={(input) => (
        <div className="code-field">
          <pre aria-hidden="true">
            {jsonParts(value).map(({ text, kind }, index) => (
              <span key={index} data-kind={kind}>
                {text}
              </span>
            ))}
            {'\n'}
          </pre>
          {input}
        </div>
      )}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
