import { Button, Progress } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { formatBytes } from '../../components/format.ts';
import { pauseTransfer, removeTransfer, resumeTransfer, useTransfers } from './transfers.ts';
import type { Transfer } from './transfers.ts';

/** The transfers of this tab with their progress. */
export function TransferList() {
  const transfers = useTransfers();
  if (transfers.length === 0) return null;
  return (
    <ul className="transfers" aria-label="Transfers">
      {transfers.map((transfer) => (
        <li key={transfer.id} className="card">
          <TransferRow transfer={transfer} />
        </li>
      ))}
    </ul>
  );
}

function TransferRow({ transfer }: { readonly transfer: Transfer }) {
  const { id, file, status, bytes, bytesPerSecond, fileId, error } = transfer;
  return (
    <>
      <div className="transfer">
        <strong>
          {fileId === undefined ? (
            file.name
          ) : (
            <Link to="/files/$id" params={{ id: fileId }}>
              {file.name}
            </Link>
          )}
        </strong>
        <Progress aria-label={`Progress of ${file.name}`} value={(100 * bytes) / Math.max(1, file.size)} />
        <span className="note" role="status">
          {labels[status]} · {formatBytes(bytes)} of {formatBytes(file.size)}
          {status === 'running' && bytesPerSecond !== undefined && ` · ${formatBytes(bytesPerSecond)}/s`}
        </span>
        <div className="actions">
          {status === 'running' && (
            <Button onClick={() => pauseTransfer(id)} aria-label={`Pause ${file.name}`}>
              Pause
            </Button>
          )}
          {(status === 'paused' || status === 'failed') && (
            <Button onClick={() => resumeTransfer(id)} aria-label={`Resume ${file.name}`}>
              Resume
            </Button>
          )}
          <Button
            onClick={() => removeTransfer(id)}
            aria-label={status === 'finished' ? `Hide ${file.name}` : `Cancel ${file.name}`}
          >
            {status === 'finished' ? 'Hide' : 'Cancel'}
          </Button>
        </div>
      </div>
      {status === 'failed' && <ErrorNotice title={`${file.name} was not stored.`} error={error} />}
    </>
  );
}

const labels: Readonly<Record<Transfer['status'], string>> = {
  running: 'Sending',
  paused: 'Paused',
  finished: 'Stored',
  failed: 'Failed',
};
