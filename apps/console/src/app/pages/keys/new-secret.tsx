import type { ProjectApiKeyWithValue } from '@modelwire/client';
import { CopyButton } from '../../components/copy-button.tsx';

interface Props {
  readonly apiKey: ProjectApiKeyWithValue;
  readonly onClose: () => void;
}

/** The secret of a new key, which the server does not return again. */
export function NewSecret({ apiKey, onClose }: Props) {
  return (
    <div className="notice good" role="status">
      <strong>Copy the key {apiKey.name} now. It is not shown again.</strong>
      <p>
        <code>{apiKey.value}</code>
      </p>
      <div className="actions">
        <CopyButton text={apiKey.value} label="Copy key" />
        <button type="button" className="small" onClick={onClose}>
          Hide key
        </button>
      </div>
    </div>
  );
}
