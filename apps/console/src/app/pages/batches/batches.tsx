import type { Batch } from '@modelwire/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { apiBaseURL } from '../../api/urls.ts';
import { batchesQuery } from '../../api/batches.ts';
import { curlCommand } from '../../api/curl-command.ts';
import { isPermitted } from '../../api/permissions.ts';
import type { Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { formatNumber, formatTime } from '../../components/format.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { RowLink } from '../../components/row-link.tsx';
import { useSession } from '../../shell/session-context.ts';
import { CreateBatch } from './create-batch.tsx';
import { StatusBadge } from './status-badge.tsx';

const route = getRouteApi('/batches');

const columns: readonly Column<Batch>[] = [
  {
    header: 'ID',
    cell: ({ id }) => (
      <RowLink list="batches" id={id}>
        {id}
      </RowLink>
    ),
  },
  { header: 'Status', cell: (batch) => <StatusBadge batch={batch} /> },
  { header: 'Endpoint', cell: ({ endpoint }) => endpoint },
  { header: 'Requests', numeric: true, cell: ({ request_counts }) => formatNumber(request_counts?.total) },
  { header: 'Completed', numeric: true, cell: ({ request_counts }) => formatNumber(request_counts?.completed) },
  { header: 'Failed', numeric: true, cell: ({ request_counts }) => formatNumber(request_counts?.failed) },
  { header: 'Created', cell: ({ created_at }) => formatTime(created_at) },
];

/** The batches, and the form for a new one. */
export function Batches() {
  const session = useSession();
  const { input } = route.useSearch();
  const query = useInfiniteQuery(batchesQuery);
  return (
    <>
      <PageHeader title="Batches" onRefresh={query.refetch} />
      {isPermitted(session, 'write') && <CreateBatch initialFileId={input} />}
      <PagedTable
        label="Batches"
        columns={columns}
        query={query}
        empty={
          <EmptyState
            title="No batches"
            command={curlCommand(`${apiBaseURL}/batches`, {
              input_file_id: 'file-…',
              endpoint: '/v1/chat/completions',
              completion_window: '24h',
            })}
          >
            <p>
              A batch runs the requests of a JSON Lines file. <Link to="/files">Upload a file</Link> with the purpose
              batch first.
            </p>
          </EmptyState>
        }
      />
    </>
  );
}
