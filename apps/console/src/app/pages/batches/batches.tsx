import type { Batch } from '@modelwire/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { apiBaseURL } from '../../api/urls.ts';
import { batchesQuery } from '../../api/batches.ts';
import { curlCommand } from '../../api/curl-command.ts';
import { isPermitted } from '../../api/permissions.ts';
import type { Column } from '../../components/columns.ts';
import { CreateButton } from '../../components/create-button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { formatNumber } from '../../components/format.ts';
import { createLinkColumn } from '../../components/link-column.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { useSession } from '../../shell/session-context.ts';
import { BatchBar } from './batch-bar.tsx';
import { CreateBatch } from './create-batch.tsx';
import { progressOf } from './progress.ts';
import { StatusBadge } from './status-badge.tsx';

const route = getRouteApi('/batches');

const columns: readonly Column<Batch>[] = [
  createLinkColumn<Batch>('Batch', 'batches', ({ id, metadata }) => metadata?.['name'] ?? id),
  { header: 'Status', width: 220, cell: (batch) => <StatusBadge batch={batch} /> },
  {
    header: 'Progress',
    width: 150,
    sortBy: ({ request_counts }) => request_counts?.total,
    cell: (batch) => <RequestsDone batch={batch} />,
  },
  { header: 'Model', width: 140, priority: 2, sortBy: ({ model }) => model, cell: ({ model }) => model ?? '–' },
  { header: 'Endpoint', width: 180, priority: 3, cell: ({ endpoint }) => endpoint },
  {
    header: 'Created',
    sortBy: ({ created_at }) => created_at,
    cell: ({ created_at }) => <RelativeTime seconds={created_at} />,
  },
];

function RequestsDone({ batch }: { readonly batch: Batch }) {
  const { done, total } = progressOf(batch, Date.now());
  return (
    <div className="meter-cell">
      <BatchBar batch={batch} />
      {formatNumber(done)} of {formatNumber(total)}
    </div>
  );
}

/** The batches, and the form for a new one. */
export function Batches() {
  const session = useSession();
  const { input } = route.useSearch();
  const query = useInfiniteQuery(batchesQuery);
  return (
    <>
      <PageHeader title="Batches">
        {isPermitted(session, 'write') && (
          <CreateButton key={input} label="New batch" isOpenAtFirst={input !== ''}>
            {(onClose) => <CreateBatch initialFileId={input} onClose={onClose} />}
          </CreateButton>
        )}
      </PageHeader>
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
