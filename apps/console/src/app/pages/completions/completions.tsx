import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { apiBaseURL } from '../../api/urls.ts';
import { completionsQuery } from '../../api/completions.ts';
import type { CompletionFilters, CompletionRow } from '../../api/completions.ts';
import { curlCommand } from '../../api/curl-command.ts';
import { modelsOfKindQuery } from '../../api/models.ts';
import type { Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { formatNumber, formatTime } from '../../components/format.ts';
import { createLinkColumn } from '../../components/link-column.tsx';
import { OrderField } from '../../components/order-field.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { TimeField } from './time-field.tsx';

const route = getRouteApi('/completions');

const columns: readonly Column<CompletionRow>[] = [
  { header: 'Created', cell: ({ created }) => formatTime(created) },
  { header: 'Model', cell: ({ model }) => model },
  createLinkColumn('Reply', 'completions', ({ id, excerpt }) => excerpt || id),
  { header: 'Input tokens', numeric: true, cell: ({ inputTokens }) => formatNumber(inputTokens) },
  { header: 'Output tokens', numeric: true, cell: ({ outputTokens }) => formatNumber(outputTokens) },
  {
    header: 'Metadata',
    cell: ({ metadata }) =>
      Object.entries(metadata)
        .map(([key, value]) => `${key}=${value}`)
        .join(', '),
  },
];

/** The stored completions. */
export function Completions() {
  const filters = route.useSearch();
  const query = useInfiniteQuery(completionsQuery(filters));
  const rows = query.data?.pages.flatMap((page) => page.data) ?? [];
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set());
  // Selected rows can disappear when the filters change or a completion is deleted.
  const ids = rows.flatMap(({ id }) => (selectedIds.has(id) ? [id] : []));
  return (
    <>
      <PageHeader title="Completions" onRefresh={query.refetch} />
      <Filters filters={filters} />
      {ids.length > 0 && <SelectionBar ids={ids} onClear={() => setSelectedIds(new Set())} />}
      <PagedTable
        label="Completions"
        columns={columns}
        selection={{ keys: selectedIds, onChange: setSelectedIds }}
        query={query}
        empty={<NoCompletions filters={filters} />}
      />
    </>
  );
}

function Filters({ filters }: { readonly filters: CompletionFilters }) {
  const navigate = route.useNavigate();
  const models = useQuery(modelsOfKindQuery('chat'));
  const set = (changes: Partial<CompletionFilters>): void =>
    void navigate({ search: { ...filters, ...changes }, replace: true });
  return (
    <div className="filters" role="search">
      <label className="field">
        Model
        <select value={filters.model} onChange={(event) => set({ model: event.target.value })}>
          <option value="">All models</option>
          {[...new Set([...(models.data ?? []), ...(filters.model === '' ? [] : [filters.model])])].map((model) => (
            <option key={model}>{model}</option>
          ))}
        </select>
      </label>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const value = new FormData(event.currentTarget).get('metadata');
          set({ metadata: typeof value === 'string' ? value : '' });
        }}
      >
        <label className="field">
          Metadata (Enter applies)
          <input
            name="metadata"
            key={filters.metadata}
            defaultValue={filters.metadata}
            placeholder="key=value, key=value"
          />
        </label>
      </form>
      <TimeField label="From" value={filters.start_time} onChange={(start_time) => set({ start_time })} />
      <TimeField label="Before" value={filters.end_time} onChange={(end_time) => set({ end_time })} />
      <OrderField value={filters.order} onChange={(order) => set({ order })} />
    </div>
  );
}

function NoCompletions({ filters }: { readonly filters: CompletionFilters }) {
  if (filters.model !== '' || filters.metadata !== '' || filters.start_time > 0 || filters.end_time > 0) {
    return (
      <EmptyState title="No completion matches the filters">
        <p>
          <Link to="/completions">Show all completions</Link>
        </p>
      </EmptyState>
    );
  }
  const body = {
    model: 'simulator',
    store: true,
    metadata: { team: 'search' },
    messages: [{ role: 'user', content: 'Hello!' }],
  };
  return (
    <EmptyState title="No stored completions" command={curlCommand(`${apiBaseURL}/chat/completions`, body)}>
      <p>
        Completions that are created with <code>store: true</code> appear here. This command creates one:
      </p>
    </EmptyState>
  );
}
