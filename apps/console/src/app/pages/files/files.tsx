import type { FileObject } from '@modelwire/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { apiBaseURL } from '../../api/urls.ts';
import { filesQuery } from '../../api/files.ts';
import type { FileFilters } from '../../api/files.ts';
import { isPermitted } from '../../api/permissions.ts';
import type { Column } from '../../components/columns.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { formatBytes } from '../../components/format.ts';
import { createLinkColumn } from '../../components/link-column.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { useSession } from '../../shell/session-context.ts';
import { DropZone } from './drop-zone.tsx';
import { createdPurposes, purposes } from './purposes.ts';
import { TransferList } from './transfer-list.tsx';
import { Tag } from '../../components/tag.tsx';

const route = getRouteApi('/files');

const columns: readonly Column<FileObject>[] = [
  createLinkColumn<FileObject>('Name', 'files', ({ filename }) => filename),
  { header: 'Purpose', width: 110, cell: ({ purpose }) => <Tag>{purpose}</Tag> },
  { header: 'Size', width: 90, numeric: true, cell: ({ bytes }) => formatBytes(bytes) },
  { header: 'Created', cell: ({ created_at }) => <RelativeTime seconds={created_at} /> },
  {
    header: 'Expires',
    priority: 2,
    cell: ({ expires_at }) => (expires_at ? <RelativeTime seconds={expires_at} /> : 'never'),
  },
  { header: 'ID', width: 90, priority: 3, cell: ({ id }) => <CopyButton text={id} label="Copy ID" /> },
];

/** The stored files, and the running uploads. */
export function Files() {
  const session = useSession();
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(filesQuery(filters));
  const set = (changes: Partial<FileFilters>): void =>
    void navigate({ search: { ...filters, ...changes }, replace: true });
  return (
    <>
      <PageHeader title="Files" />
      {isPermitted(session, 'write') && <DropZone initialPurpose={filters.purpose} />}
      <TransferList />
      <PagedTable
        label="Files"
        filters={<PurposeFilter value={filters.purpose} onChange={(purpose) => set({ purpose })} />}
        columns={columns}
        order={{ header: 'Created', direction: filters.order, onChange: (order) => set({ order }) }}
        query={query}
        empty={<NoFiles purpose={filters.purpose} />}
      />
    </>
  );
}

interface FilterProps {
  readonly value: string;
  readonly onChange: (purpose: string) => void;
}

function PurposeFilter({ value, onChange }: FilterProps) {
  return (
    <div className="filters" role="search">
      <SelectField<string>
        label="Show purpose"
        options={[{ value: '', label: 'All purposes' }, ...purposes, ...createdPurposes]}
        value={value}
        onChange={onChange}
      />
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
