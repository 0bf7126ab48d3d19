import type { FileObject } from '@modelwire/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { datasetQuery, datasetsQuery } from '../../api/datasets.ts';
import { isPermitted } from '../../api/permissions.ts';
import type { Column } from '../../components/columns.ts';
import { CreateButton } from '../../components/create-button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { formatNumber } from '../../components/format.ts';
import { createLinkColumn } from '../../components/link-column.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Tag } from '../../components/tag.tsx';
import { useSession } from '../../shell/session-context.ts';
import { CreateDataset } from './create-dataset.tsx';
import { formatLabel } from './formats.ts';

const route = getRouteApi('/datasets');

const columns: readonly Column<FileObject>[] = [
  createLinkColumn<FileObject>('Name', 'datasets', ({ filename }) => filename.replace(/\.json$/, '')),
  { header: 'Format', width: 140, cell: ({ id }) => <Format id={id} /> },
  { header: 'Lines', width: 100, numeric: true, cell: ({ id }) => <LineCount id={id} /> },
  { header: 'Created', cell: ({ created_at }) => <RelativeTime seconds={created_at} /> },
];

// The list has files: what a dataset has is loaded for the rows that are visible.
function Format({ id }: { readonly id: string }) {
  const { data } = useQuery(datasetQuery(id));
  return data && <Tag>{formatLabel(data.format)}</Tag>;
}

function LineCount({ id }: { readonly id: string }) {
  const { data } = useQuery(datasetQuery(id));
  return formatNumber(data?.counts.lines);
}

/** The datasets, and the form for a new one. */
export function Datasets() {
  const session = useSession();
  const { create, ...filters } = route.useSearch();
  const query = useInfiniteQuery(datasetsQuery);
  return (
    <>
      <PageHeader title="Datasets">
        {isPermitted(session, 'write') && (
          <CreateButton key={JSON.stringify(filters)} label="New dataset" isOpenAtFirst={create}>
            {(onClose) => <CreateDataset initialFilters={filters} onClose={onClose} />}
          </CreateButton>
        )}
      </PageHeader>
      <PagedTable
        label="Datasets"
        columns={columns}
        query={query}
        empty={
          <EmptyState title="No datasets" command="modelwire datasets create --metadata team=search">
            <p>
              A dataset has <Link to="/completions">stored completions</Link> as a file: for fine-tuning, for
              evaluation, or as requests that another model answers. The replies of both models can then be compared.
            </p>
          </EmptyState>
        }
      />
    </>
  );
}
