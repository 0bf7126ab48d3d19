import type { WebhookWithSecret } from '@modelwire/client';
import { CopyButton } from '../../components/copy-button.tsx';

interface Props {
  readonly webhook: WebhookWithSecret;
  readonly onClose: () => void;
}

/** The signing secret of a webhook, which the server does not return again. */
export function WebhookSecret({ webhook: { url, secret }, onClose }: Props) {
  return (
    <div className="notice good" role="status">
      <strong>Copy the signing secret of {url} now. It is not shown again.</strong>
      <p>
        <code>{secret}</code>
      </p>
      <div className="actions">
        <CopyButton text={secret} label="Copy secret" />
        <button type="button" className="small" onClick={onClose}>
          Hide secret
        </button>
      </div>
    </div>
  );
}
