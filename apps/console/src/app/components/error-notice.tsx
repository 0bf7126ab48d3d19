import { Button } from '@mantine/core';
import { ConnectionError, isModelwireError } from '@modelwire/client';
import { CopyButton } from './copy-button.tsx';
import { DescriptionList } from './description-list.tsx';
import { Notice } from './notice.tsx';

interface Props {
  readonly error: unknown;
  /** What failed, such as "The list of files could not be loaded." */
  readonly title: string;
  readonly onRetry?: (() => void) | undefined;
}

/** Shows a failed request: the message of the server, its code and parameter, the request ID, and advice. */
export function ErrorNotice({ error, title, onRetry }: Props) {
  const apiError = isModelwireError(error) ? error : undefined;
  const message = error instanceof Error ? error.message : String(error);
  const details = [
    ['Status', apiError?.status === undefined ? undefined : String(apiError.status)],
    ['Code', apiError?.code],
    ['Parameter', apiError?.param],
    ['Request ID', apiError?.requestId],
  ] as const;
  const shown = details.flatMap(([name, value]) =>
    value === undefined ? [] : [[name, <code key={name}>{value}</code>] as const],
  );
  return (
    <Notice tone="bad" title={title}>
      <p className="message">{message}</p>
      <p>{adviceFor(error)}</p>
      {shown.length > 0 && <DescriptionList layout="inline" entries={shown} />}
      <div className="actions">
        {onRetry !== undefined && (
          <Button size="compact-xs" onClick={onRetry}>
            Try again
          </Button>
        )}
        {apiError?.requestId !== undefined && <CopyButton text={apiError.requestId} label="Copy request ID" />}
      </div>
    </Notice>
  );
}

/** Advice for the user on how to resolve an error. */
function adviceFor(error: unknown): string {
  if (error instanceof ConnectionError) return 'Check that the server is running. The console reconnects by itself.';
  if (!isModelwireError(error) || error.status === undefined) return 'Reload the page. If it happens again, report it.';
  const { status } = error;
  if (status === 401) return 'Sign in again.';
  if (error.code === 'model_without_price')
    return 'Ask an administrator to add the price of the model to the configuration of the server.';
  if (status === 403) return 'The key that you signed in with lacks the permission. Sign in with another key.';
  if (status === 404) return 'It may have been deleted or belong to another project.';
  if (status === 429) return 'A limit of the key or the project is reached. Wait, or ask an administrator to raise it.';
  if (status === 507) return 'The disk of the server is full. Delete files, or ask an administrator for space.';
  if (status >= 500) return 'Try again. If it fails again, look up the request ID in the log of the server.';
  return 'Change the request and try again.';
}
