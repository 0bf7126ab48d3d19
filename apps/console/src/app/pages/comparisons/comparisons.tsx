import type { DatasetComparison, FileObject } from '@modelwire/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { comparisonQuery, comparisonsQuery } from '../../api/datasets.ts';
import type { Column } from '../../components/columns.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { formatNumber, formatShare } from '../../components/format.ts';
import { createLinkColumn } from '../../components/link-column.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { RunningComparisons } from './running-comparisons.tsx';
import { scorerLabel } from './scorer-labels.ts';

const columns: readonly Column<FileObject>[] = [
  createLinkColumn<FileObject>('Name', 'comparisons', ({ filename }) => filename.replace(/\.json$/, '')),
  { header: 'Win rate', width: 240, cell: ({ id }) => <Figure id={id} of={winRates} /> },
  {
    header: 'Cases',
    width: 100,
    numeric: true,
    priority: 2,
    cell: ({ id }) => <Figure id={id} of={({ counts }) => formatNumber(counts.cases)} />,
  },
  { header: 'Created', cell: ({ created_at }) => <RelativeTime seconds={created_at} /> },
];

interface FigureProps {
  readonly id: string;
  readonly of: (comparison: DatasetComparison) => string;
}

/** A figure of a comparison. The list has files: their contents are loaded for the rows that are visible. */
function Figure({ id, of }: FigureProps) {
  const { data } = useQuery(comparisonQuery(id));
  return data ? of(data) : '–';
}

function winRates({ scorers }: DatasetComparison): string {
  return scorers.map(({ type, win_rate }) => `${scorerLabel(type)} ${formatShare(win_rate)}`).join(', ');
}

/** The reports of comparisons. */
export function Comparisons() {
  const query = useInfiniteQuery(comparisonsQuery);
  return (
    <>
      <PageHeader title="Comparisons" />
      <RunningComparisons />
      <PagedTable
        label="Comparisons"
        columns={columns}
        query={query}
        empty={
          <EmptyState title="No comparisons">
            <p>
              A comparison scores two replies to each request of a <Link to="/datasets">dataset</Link>: create a dataset
              for evaluation, run it again with another model, and compare.
            </p>
          </EmptyState>
        }
      />
    </>
  );
}
