import type { RecentErrorList } from '@modelwire/server/internal';
import { useQuery } from '@tanstack/react-query';
import { errorsQuery } from '../../api/usage.ts';
import type { UsageFilters } from '../../api/usage.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import type { Column } from '../../components/data-table.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { formatTime } from '../../components/format.ts';
import { errorsByCode } from './errors-by-code.ts';

interface Props {
  readonly filters: UsageFilters;
  /** The code to filter by; empty for all. */
  readonly code: string;
  readonly onSelect: (code: string) => void;
}

const columns: readonly Column<RecentErrorList['errors'][number]>[] = [
  { header: 'Time', cell: ({ at }) => formatTime(at) },
  { header: 'Status', numeric: true, cell: ({ status }) => status },
  { header: 'Code', cell: ({ code, param }) => (param === null ? code : `${code} (${param})`) },
  { header: 'Endpoint', cell: ({ route }) => <code>{route}</code> },
  { header: 'Model', cell: ({ model }) => (model === '' ? 'none' : model) },
  { header: 'Project', cell: ({ project }) => project },
  { header: 'Key', cell: ({ key }) => key },
  {
    header: 'Cause',
    cell: ({ upstream_failure, batch }) => upstream_failure ?? (batch === null ? '–' : `line of ${batch}`),
  },
  {
    header: 'Request ID',
    cell: ({ request_id }) => (
      <span className="actions">
        <code>{request_id}</code>
        <CopyButton text={request_id} label="Copy" />
      </span>
    ),
  },
];

/** The last failed requests by code. The server log has the details of a request by its ID. */
export function RecentErrors({ filters, code, onSelect }: Props) {
  const { data, error, refetch } = useQuery(errorsQuery(filters));
  if (error !== null) {
    return <ErrorNotice title="The recent errors could not be loaded." error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined) return null;
  const shownErrors = code === '' ? data.errors : data.errors.filter((entry) => entry.code === code);
  return (
    <section className="card" aria-label="Recent errors">
      <h2>Recent errors</h2>
      {data.errors.length === 0 ? (
        <p className="note">No request has failed since the server was started.</p>
      ) : (
        <>
          <p className="note">
            The last failed requests since the server was started. Look up a request ID in the log of the server to see
            more.
          </p>
          <div className="actions codes" role="group" aria-label="Codes">
            {errorsByCode(data.errors).map((entry) => (
              <button
                key={entry.code}
                type="button"
                className="small"
                aria-pressed={entry.code === code}
                onClick={() => onSelect(entry.code === code ? '' : entry.code)}
              >
                {entry.code} ({entry.count})
              </button>
            ))}
          </div>
          <DataTable
            label="Recent errors, table"
            columns={columns}
            rows={shownErrors}
            keyOf={({ request_id, at }) => `${request_id} ${at}`}
          />
        </>
      )}
    </section>
  );
}
