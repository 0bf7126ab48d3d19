import { CopyButton } from './copy-button.tsx';
import { truncateText } from './truncate-text.ts';

interface Props {
  readonly code: string;
  readonly label?: string;
}

/** Preformatted text with a copy button. Long text is shortened on the page and copied completely. */
export function CodeBlock({ code, label }: Props) {
  const { shown, hiddenCharacters } = truncateText(code);
  return (
    <figure className="code">
      <figcaption>
        <span>{label ?? ''}</span>
        <CopyButton text={code} />
      </figcaption>
      <pre tabIndex={0}>
        <code>{shown}</code>
      </pre>
      {hiddenCharacters > 0 && (
        <p className="note">{hiddenCharacters.toLocaleString('en')} more characters. Copy to see all.</p>
      )}
    </figure>
  );
}
