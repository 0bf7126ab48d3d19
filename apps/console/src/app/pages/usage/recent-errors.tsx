import { Button } from '@mantine/core';
import type { RecentErrorList } from '@modelwire/server/internal';
import { useQuery } from '@tanstack/react-query';
import { useNames } from '../../api/names.ts';
import type { Names } from '../../api/names.ts';
import { errorsQuery } from '../../api/usage.ts';
import type { UsageFilters } from '../../api/usage.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import type { Column } from '../../components/columns.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { errorsByCode } from './errors-by-code.ts';

interface Props {
  readonly filters: UsageFilters;
  /** The code to filter by; empty for all. */
  readonly code: string;
  readonly onSelect: (code: string) => void;
}

const createColumns = (nameOf: Names['nameOf']): readonly Column<RecentErrorList['errors'][number]>[] => [
  { header: 'Time', sortBy: ({ at }) => at, cell: ({ at }) => <RelativeTime seconds={at} /> },
  { header: 'Status', width: 80, numeric: true, sortBy: ({ status }) => status, cell: ({ status }) => status },
  {
    header: 'Code',
    width: 200,
    grows: true,
    sortBy: ({ code }) => code,
    cell: ({ code, param }) => (param === null ? code : `${code} (${param})`),
  },
  { header: 'Endpoint', width: 190, priority: 3, cell: ({ route }) => <code>{route}</code> },
  {
    header: 'Model',
    width: 130,
    priority: 2,
    sortBy: ({ model }) => model,
    cell: ({ model }) => (model === '' ? 'none' : model),
  },
  { header: 'Project', width: 120, priority: 3, cell: ({ project }) => nameOf(project) },
  { header: 'Key', width: 120, priority: 3, cell: ({ key }) => nameOf(key) },
  {
    header: 'Cause',
    width: 160,
    priority: 2,
    cell: ({ upstream_failure, batch }) => upstream_failure ?? (batch === null ? '–' : `line of ${batch}`),
  },
  {
    header: 'Request ID',
    width: 220,
    cell: ({ request_id }) => (
      <span className="named-id">
        <code title={request_id}>{request_id}</code>
        <CopyButton text={request_id} label={`Copy request ID ${request_id}`} isIcon />
      </span>
    ),
  },
];

/** The last failed requests by code. The server log has the details of a request by its ID. */
export function RecentErrors({ filters, code, onSelect }: Props) {
  const { nameOf } = useNames();
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
          <div className="actions" role="group" aria-label="Codes">
            {errorsByCode(data.errors).map((entry) => (
              <Button
                key={entry.code}
                aria-pressed={entry.code === code}
                onClick={() => onSelect(entry.code === code ? '' : entry.code)}
              >
                {entry.code} ({entry.count})
              </Button>
            ))}
          </div>
          <DataTable
            label="Recent errors, table"
            columns={createColumns(nameOf)}
            rows={shownErrors}
            keyOf={({ request_id, at }) => `${request_id} ${at}`}
          />
        </>
      )}
    </section>
  );
}
