import type { FileObject } from '@modelwire/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { apiBaseURL } from '../../api/urls.ts';
import { filesQuery } from '../../api/files.ts';
import type { FileFilters } from '../../api/files.ts';
import { isPermitted } from '../../api/permissions.ts';
import type { Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { formatBytes, formatTime } from '../../components/format.ts';
import { createLinkColumn } from '../../components/link-column.tsx';
import { OrderField } from '../../components/order-field.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { useSession } from '../../shell/session-context.ts';
import { DropZone } from './drop-zone.tsx';
import { createdPurposes, purposes } from './purposes.ts';
import { TransferList } from './transfer-list.tsx';

const route = getRouteApi('/files');

const columns: readonly Column<FileObject>[] = [
  createLinkColumn('Name', 'files', ({ filename }) => filename),
  { header: 'Purpose', cell: ({ purpose }) => <span className="badge">{purpose}</span> },
  { header: 'Size', numeric: true, cell: ({ bytes }) => formatBytes(bytes) },
  { header: 'Created', cell: ({ created_at }) => formatTime(created_at) },
  { header: 'Expires', cell: ({ expires_at }) => (expires_at ? formatTime(expires_at) : 'never') },
  { header: 'ID', cell: ({ id }) => <code>{id}</code> },
];

/** The stored files, and the running uploads. */
export function Files() {
  const session = useSession();
  const filters = route.useSearch();
  const query = useInfiniteQuery(filesQuery(filters));
  return (
    <>
      <PageHeader title="Files" onRefresh={query.refetch} />
      {isPermitted(session, 'write') && <DropZone initialPurpose={filters.purpose} />}
      <TransferList />
      <Filters filters={filters} />
      <PagedTable label="Files" columns={columns} query={query} empty={<NoFiles purpose={filters.purpose} />} />
    </>
  );
}

function Filters({ filters }: { readonly filters: FileFilters }) {
  const navigate = route.useNavigate();
  const set = (changes: Partial<FileFilters>): void =>
    void navigate({ search: { ...filters, ...changes }, replace: true });
  return (
    <div className="filters" role="search">
      <SelectField<string>
        label="Show purpose"
        options={[{ value: '', label: 'All purposes' }, ...purposes, ...createdPurposes]}
        value={filters.purpose}
        onChange={(purpose) => set({ purpose })}
      />
      <OrderField value={filters.order} onChange={(order) => set({ order })} />
    </div>
  );
}

function NoFiles({ purpose }: { readonly purpose: string }) {
  return (
    <EmptyState
      title={purpose === '' ? 'No files' : `No files with the purpose ${purpose}`}
      command={`curl ${apiBaseURL}/files \\
  -H "Authorization: Bearer $MODELWIRE_API_KEY" \\
  -F purpose=${purpose === '' || createdPurposes.includes(purpose) ? 'batch' : purpose} \\
  -F file=@requests.jsonl`}
    >
      <p>Drop a file above, or upload one from a shell:</p>
    </EmptyState>
  );
}
