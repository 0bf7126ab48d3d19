import { Button, Checkbox } from '@mantine/core';
import { isModelwireError } from '@modelwire/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { apiBaseURL } from '../../api/urls.ts';
import { allProjects, completionsQuery } from '../../api/completions.ts';
import type { CompletionFilters, CompletionRow } from '../../api/completions.ts';
import { curlCommand } from '../../api/curl-command.ts';
import { useNames } from '../../api/names.ts';
import { isPermitted } from '../../api/permissions.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { EnteredField } from '../../components/entered-field.tsx';
import { ModelField } from '../../components/model-field.tsx';
import { NamedSelect } from '../../components/named-select.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { TimeRange } from '../../components/time-range.tsx';
import { useRowKeys } from '../../components/use-row-keys.ts';
import { useSession } from '../../shell/session-context.ts';
import { twoLineHeight } from '../../components/columns.ts';
import { createColumns, finishReasons } from './columns.tsx';
import { CompletionPanel } from './completion-panel.tsx';
import { MetadataField } from './metadata-field.tsx';
import { SelectionBar } from './selection-bar.tsx';

const route = getRouteApi('/completions');

/** The log of the stored completions and, for administrators, of the requests of the request log. One of them is open in a panel beside it. */
export function Completions() {
  const session = useSession();
  const { open, ...filters } = route.useSearch();
  const { model, metadata, start_time, end_time } = filters;
  const navigate = route.useNavigate();
  const [isLive, setLive] = useState(false);
  const query = useInfiniteQuery({
    ...completionsQuery(filters, session),
    refetchInterval: ({ state: { data } }) => (isLive && data?.pages.length === 1 ? 2_000 : false),
  });
  const isSearchInvalid = isModelwireError(query.error) && query.error.param === 'search';
  const columns = createColumns({ nameOf: useNames().nameOf, hasProjects: filters.project === allProjects });
  const set = (changes: Partial<CompletionFilters & { readonly open: string }>): void =>
    void navigate({ search: { open, ...filters, ...changes }, replace: true });
  const rows = query.data?.pages.flatMap((page) => page.data) ?? [];
  useRowKeys(
    rows.map(({ id }) => id),
    open,
    (id) => set({ open: id }),
  );
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set());
  // Selected rows can disappear when the filters change or a completion is deleted.
  const isSelectable = ({ isStored, project }: CompletionRow): boolean => isStored && project === session.project;
  const selected = rows.filter((row) => isSelectable(row) && selectedIds.has(row.id));
  return (
    <>
      <PageHeader title="Completions">
        <Checkbox label="Live" checked={isLive} onChange={(event) => setLive(event.target.checked)} />
        {isPermitted(session, 'write') && filters.project === '' && (
          <Button
            renderRoot={(props) => (
              <Link {...props} to="/datasets" search={{ create: true, model, metadata, start_time, end_time }} />
            )}
          >
            Create dataset
          </Button>
        )}
      </PageHeader>
      {selected.length > 0 && <SelectionBar rows={selected} onClear={() => setSelectedIds(new Set())} />}
      <Filters filters={filters} isSearchInvalid={isSearchInvalid} onChange={set} />
      <div className={open === '' ? 'list' : 'list with-panel'}>
        <PagedTable
          label="Completions"
          order={{ header: 'Created', direction: filters.order, onChange: (order) => set({ order }) }}
          columns={columns}
          selection={{ keys: selectedIds, isSelectable, onChange: setSelectedIds }}
          rowHeight={twoLineHeight}
          currentKey={open}
          onOpen={({ id }) => set({ open: id })}
          query={query}
          empty={<NoCompletions filters={filters} />}
        />
        {open !== '' && <CompletionPanel key={open} id={open} onClose={() => set({ open: '' })} />}
      </div>
    </>
  );
}

interface FilterProps {
  readonly filters: CompletionFilters;
  /** Whether the server refuses the search. */
  readonly isSearchInvalid: boolean;
  readonly onChange: (changes: Partial<CompletionFilters>) => void;
}

function Filters({ filters, isSearchInvalid, onChange }: FilterProps) {
  const session = useSession();
  const { keys, projects, nameOf } = useNames();
  const project = filters.project || session.project;
  return (
    <div className="filters" role="search">
      <EnteredField
        label="Search"
        placeholder='Words, "a phrase", start*'
        isInvalid={isSearchInvalid}
        value={filters.search}
        onEnter={(search) => onChange({ search })}
      />
      <ModelField label="Model" emptyLabel="All" value={filters.model} onChange={(model) => onChange({ model })} />
      <MetadataField
        key={project}
        project={project}
        value={filters.metadata}
        onEnter={(metadata) => onChange({ metadata })}
      />
      <SelectField<string>
        label="Status"
        options={[
          { value: '', label: 'All' },
          ...Object.entries(finishReasons).map(([value, { label }]) => ({ value, label })),
          ...(isPermitted(session, 'operate') ? requestStatuses : []),
        ]}
        value={filters.status}
        onChange={(status) => onChange({ status })}
      />
      {isPermitted(session, 'operate') && (
        <NamedSelect
          label="Project"
          emptyLabel={nameOf(session.project)}
          entries={[{ id: allProjects, name: 'All' }, ...projects.filter(({ id }) => id !== session.project)]}
          value={filters.project}
          onChange={(chosen) => onChange({ project: chosen, key: '' })}
        />
      )}
      {isPermitted(session, 'operate') && (
        <NamedSelect
          label="Key"
          emptyLabel="All"
          entries={keys.filter((key) => project === allProjects || key.project === project)}
          value={filters.key}
          onChange={(key) => onChange({ key })}
        />
      )}
      <TimeRange start={filters.start_time} end={filters.end_time} onChange={onChange} />
    </div>
  );
}

const requestStatuses = [
  { value: 'failed', label: 'failed' },
  { value: 'aborted', label: 'aborted' },
  { value: 'not_stored', label: 'not stored' },
];

function NoCompletions({ filters }: { readonly filters: CompletionFilters }) {
  const { order: _, ...conditions } = filters;
  if (Object.values(conditions).some((value) => value !== '' && value !== 0)) {
    return (
      <EmptyState title="No completion matches the filters">
        {requestStatuses.some(({ value }) => value === filters.status) && (
          <p>
            Requests that are not stored appear if the configuration of the server sets{' '}
            <code>requestLogRetentionDays</code>, except those that a limit refused.
          </p>
        )}
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
