import { Button } from '@mantine/core';
import type { WebhookWithSecret } from '@modelwire/client';
import { CopyButton } from '../../components/copy-button.tsx';
import { Notice } from '../../components/notice.tsx';

interface Props {
  readonly webhook: WebhookWithSecret;
  readonly onClose: () => void;
}

/** The signing secret of a webhook, which the server does not return again. */
export function WebhookSecret({ webhook: { url, secret }, onClose }: Props) {
  return (
    <Notice tone="good" title={`Copy the signing secret of ${url} now. It is not shown again.`}>
      <p>
        <code>{secret}</code>
      </p>
      <div className="actions">
        <CopyButton text={secret} label="Copy secret" />
        <Button onClick={onClose}>Hide secret</Button>
      </div>
    </Notice>
  );
}
