import { Button } from '@mantine/core';
import type { FileObject } from '@modelwire/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
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
import { useWindowDrop } from '../../components/use-window-drop.ts';
import { useSession } from '../../shell/session-context.ts';
import { InterruptedNotice } from './interrupted-notice.tsx';
import { createdPurposes, purposes } from './purposes.ts';
import { SelectedFiles } from './selected-files.tsx';
import { TransferList } from './transfer-list.tsx';
import { UploadFiles } from './upload-files.tsx';
import { Tag } from '../../components/tag.tsx';

const route = getRouteApi('/files');

const columns: readonly Column<FileObject>[] = [
  createLinkColumn<FileObject>('Name', 'files', ({ filename }) => filename),
  { header: 'Purpose', width: 130, cell: ({ purpose }) => <Tag>{purpose}</Tag> },
  { header: 'Size', width: 90, numeric: true, sortBy: ({ bytes }) => bytes, cell: ({ bytes }) => formatBytes(bytes) },
  { header: 'Created', cell: ({ created_at }) => <RelativeTime seconds={created_at} /> },
  {
    header: 'Expires',
    priority: 2,
    cell: ({ expires_at }) => (expires_at ? <RelativeTime seconds={expires_at} /> : 'never'),
  },
  {
    header: 'ID',
    isHeaderHidden: true,
    width: 60,
    priority: 3,
    cell: ({ id }) => <CopyButton text={id} label={`Copy ID ${id}`} isIcon />,
  },
];

/** The stored files, and the running uploads. */
export function Files() {
  const session = useSession();
  const mayWrite = isPermitted(session, 'write');
  /** While the dialog is open: the files that were dropped on the page. */
  const [upload, setUpload] = useState<readonly File[]>();
  useWindowDrop((files) => {
    if (mayWrite) setUpload(files);
  });
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(filesQuery(filters));
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set());
  const files = query.data?.pages.flatMap((page) => page.data) ?? [];
  const set = (changes: Partial<FileFilters>): void =>
    void navigate({ search: { ...filters, ...changes }, replace: true });
  return (
    <>
      <PageHeader title="Files">
        {mayWrite && (
          <Button variant="filled" onClick={() => setUpload([])}>
            Upload files
          </Button>
        )}
      </PageHeader>
      {upload !== undefined && (
        <UploadFiles initialPurpose={filters.purpose} dropped={upload} onClose={() => setUpload(undefined)} />
      )}
      {mayWrite && <InterruptedNotice />}
      <TransferList />
      <SelectedFiles files={files.filter(({ id }) => selectedIds.has(id))} onClear={() => setSelectedIds(new Set())} />
      <PurposeFilter value={filters.purpose} onChange={(purpose) => set({ purpose })} />
      <PagedTable
        label="Files"
        columns={columns}
        order={{ header: 'Created', direction: filters.order, onChange: (order) => set({ order }) }}
        query={query}
        {...(mayWrite && { selection: { keys: selectedIds, onChange: setSelectedIds } })}
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
        label="Purpose"
        options={[{ value: '', label: 'All' }, ...purposes, ...createdPurposes]}
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
      <p>Upload one with the button above, or from a shell:</p>
    </EmptyState>
  );
}
