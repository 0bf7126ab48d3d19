import { Button } from '@mantine/core';
import type { ProjectApiKeyWithValue } from '@modelwire/client';
import { CopyButton } from '../../components/copy-button.tsx';
import { Notice } from '../../components/notice.tsx';

interface Props {
  readonly apiKey: ProjectApiKeyWithValue;
  readonly onClose: () => void;
}

/** The secret of a new key, which the server does not return again. */
export function NewSecret({ apiKey, onClose }: Props) {
  return (
    <Notice tone="good" title={`Copy the key ${apiKey.name} now. It is not shown again.`}>
      <p>
        <code>{apiKey.value}</code>
      </p>
      <div className="actions">
        <CopyButton text={apiKey.value} label="Copy key" />
        <Button onClick={onClose}>Hide key</Button>
      </div>
    </Notice>
  );
}
