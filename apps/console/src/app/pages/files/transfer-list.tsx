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
        <progress aria-label={`Progress of ${file.name}`} max={Math.max(1, file.size)} value={bytes} />
        <span className="note" role="status">
          {labels[status]} · {formatBytes(bytes)} of {formatBytes(file.size)}
          {status === 'running' && bytesPerSecond !== undefined && ` · ${formatBytes(bytesPerSecond)}/s`}
        </span>
        <div className="actions">
          {status === 'running' && (
            <button type="button" className="small" onClick={() => pauseTransfer(id)} aria-label={`Pause ${file.name}`}>
              Pause
            </button>
          )}
          {(status === 'paused' || status === 'failed') && (
            <button
              type="button"
              className="small"
              onClick={() => resumeTransfer(id)}
              aria-label={`Resume ${file.name}`}
            >
              Resume
            </button>
          )}
          <button
            type="button"
            className="small"
            onClick={() => removeTransfer(id)}
            aria-label={status === 'finished' ? `Hide ${file.name}` : `Cancel ${file.name}`}
          >
            {status === 'finished' ? 'Hide' : 'Cancel'}
          </button>
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
