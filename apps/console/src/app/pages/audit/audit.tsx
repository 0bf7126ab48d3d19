import { Button, TextInput } from '@mantine/core';
import { auditLogTypes } from '@modelwire/client';
import type { AuditLog } from '@modelwire/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { apiBaseURL } from '../../api/urls.ts';
import { curlCommand } from '../../api/curl-command.ts';
import { useNames } from '../../api/names.ts';
import { auditLogQuery } from '../../api/organization.ts';
import type { Column } from '../../components/columns.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Modal } from '../../components/modal.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { NamedId } from '../../components/named-id.tsx';
import { NamedSelect } from '../../components/named-select.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { Tag } from '../../components/tag.tsx';
import { auditFilters } from './filters.ts';
import type { AuditSearch } from './filters.ts';

const route = getRouteApi('/audit');

/** The changes of projects, keys and budgets, with the key that made them. Filters are in the URL. */
export function Audit() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [open, setOpen] = useState<AuditLog>();
  const query = useInfiniteQuery(auditLogQuery(auditFilters(search)));
  const set = (changes: Partial<AuditSearch>): void =>
    void navigate({ search: { ...search, ...changes }, replace: true });
  const { nameOf } = useNames();
  const named = (id: string): React.ReactNode => <NamedId id={id} name={nameOf(id)} />;
  const columns: readonly Column<AuditLog>[] = [
    { header: 'Time', cell: ({ effective_at }) => <RelativeTime seconds={effective_at} /> },
    { header: 'Action', width: 165, cell: ({ type }) => <Tag>{type}</Tag> },
    { header: 'Project', width: 160, priority: 2, cell: ({ project }) => (project ? named(project.id) : '–') },
    { header: 'Changed', width: 200, grows: true, cell: ({ resource_id }) => named(resource_id) },
    {
      header: 'By',
      width: 215,
      priority: 3,
      cell: ({ actor }) => (actor.api_key ? named(actor.api_key.id) : 'command on the server'),
    },
    {
      header: 'Changes',
      width: 90,
      cell: (entry) => (
        <Button aria-label={`Show changes of ${entry.type} ${entry.resource_id}`} onClick={() => setOpen(entry)}>
          Show
        </Button>
      ),
    },
  ];
  const isFiltered = Object.values(search).some((value) => value !== '');
  return (
    <>
      <PageHeader title="Audit log" />
      <PagedTable
        label="Audit log"
        filters={<Filters search={search} onChange={set} />}
        columns={columns}
        query={query}
        empty={<Empty isFiltered={isFiltered} />}
      />
      {open !== undefined && (
        <Modal title={`${open.type} ${open.resource_id}`} onClose={() => setOpen(undefined)}>
          <CodeBlock code={JSON.stringify(open.changes, null, 2)} label="Fields that were set" />
        </Modal>
      )}
    </>
  );
}

interface FilterProps {
  readonly search: AuditSearch;
  readonly onChange: (changes: Partial<AuditSearch>) => void;
}

function Filters({ search, onChange }: FilterProps) {
  const { projects, keys } = useNames();
  const texts = [
    { name: 'resource', label: 'Changed ID', type: 'text' },
    { name: 'from', label: 'From', type: 'date' },
    { name: 'to', label: 'To', type: 'date' },
  ] as const;
  return (
    <div className="filters" role="search">
      <SelectField<string>
        label="Action"
        options={[{ value: '', label: 'All' }, ...auditLogTypes]}
        value={search.type}
        onChange={(type) => onChange({ type })}
      />
      <NamedSelect
        label="Project"
        emptyLabel="All projects"
        entries={projects}
        value={search.project}
        onChange={(project) => onChange({ project })}
      />
      <NamedSelect
        label="By key"
        emptyLabel="All keys"
        entries={keys}
        value={search.actor}
        onChange={(actor) => onChange({ actor })}
      />
      {texts.map(({ name, label, type }) => (
        <TextInput
          key={name}
          label={label}
          type={type}
          value={search[name]}
          placeholder="all"
          onChange={(event) => onChange({ [name]: event.target.value })}
        />
      ))}
    </div>
  );
}

function Empty({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) return <p className="note">No entry matches the filters.</p>;
  return (
    <EmptyState title="No entries" command={curlCommand(`${apiBaseURL}/organization/projects`, { name: 'Shop' })}>
      <p>Every change of a project, a key or a budget adds an entry, such as:</p>
    </EmptyState>
  );
}
