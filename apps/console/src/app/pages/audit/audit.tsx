import { Button, NativeSelect, TextInput } from '@mantine/core';
import { auditLogTypes } from '@modelwire/client';
import type { AuditLog } from '@modelwire/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { apiBaseURL } from '../../api/urls.ts';
import { curlCommand } from '../../api/curl-command.ts';
import { peopleQuery, useNames } from '../../api/names.ts';
import type { NamedEntry } from '../../api/names.ts';
import { auditLogQuery } from '../../api/organization.ts';
import { currencyQuery } from '../../api/usage.ts';
import { twoLineHeight } from '../../components/columns.ts';
import type { Column } from '../../components/columns.ts';
import { DescriptionList } from '../../components/description-list.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { formatTime } from '../../components/format.ts';
import { Modal } from '../../components/modal.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { NamedId } from '../../components/named-id.tsx';
import { NamedSelect } from '../../components/named-select.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { TimeRange } from '../../components/time-range.tsx';
import { auditFilters } from './filters.ts';
import type { AuditSearch } from './filters.ts';
import { actorPart, changedFields, sentenceOf } from './sentence.ts';
import type { SentencePart } from './sentence.ts';

const route = getRouteApi('/audit');

/** The changes of projects, keys and budgets, with the key or the person that made them. Filters are in the URL. */
export function Audit() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [open, setOpen] = useState<AuditLog>();
  const query = useInfiniteQuery(auditLogQuery(auditFilters(search)));
  const set = (changes: Partial<AuditSearch>): void =>
    void navigate({ search: { ...search, ...changes }, replace: true });
  const names = useNames();
  const { data: currency } = useQuery(currencyQuery);
  const columns: readonly Column<AuditLog>[] = [
    { header: 'Time', cell: ({ effective_at }) => <RelativeTime seconds={effective_at} /> },
    {
      header: 'Change',
      width: 300,
      grows: true,
      cell: (entry) => (
        <div className="two-lines">
          <bdi>
            <Sentence parts={sentenceOf(entry, names)} />
          </bdi>
          <bdi className="note">{changedFields(entry, names, currency)}</bdi>
        </div>
      ),
    },
    {
      header: 'Details',
      isHeaderHidden: true,
      width: 90,
      cell: (entry) => (
        <div className="actions">
          <Button aria-label={`Show: ${textOf(sentenceOf(entry, names))}`} onClick={() => setOpen(entry)}>
            Show
          </Button>
        </div>
      ),
    },
  ];
  const isFiltered = Object.values(search).some((value) => value !== '' && value !== 0);
  return (
    <>
      <PageHeader title="Audit log" />
      <Filters search={search} onChange={set} />
      <PagedTable
        label="Audit log"
        columns={columns}
        query={query}
        rowHeight={twoLineHeight}
        empty={<Empty isFiltered={isFiltered} />}
      />
      {open !== undefined && (
        <Modal title={textOf(sentenceOf(open, names))} onClose={() => setOpen(undefined)}>
          <DescriptionList
            layout="inline"
            entries={[
              ['Time', formatTime(open.effective_at)],
              ['Action', <code key="type">{open.type}</code>],
              ['Changed', <NamedId key="id" id={open.resource_id} />],
              ['By', <Actor key="actor" part={actorPart(open.actor, names)} />],
            ]}
          />
          <CodeBlock code={JSON.stringify(open.changes, null, 2)} label="Fields that were set" />
        </Modal>
      )}
    </>
  );
}

function Actor({ part: { text, id } }: { readonly part: SentencePart }) {
  return id === undefined ? text : <NamedId id={id} name={text} />;
}

function Sentence({ parts }: { readonly parts: readonly SentencePart[] }) {
  return parts.map(({ text, id }, index) =>
    id === undefined ? (
      text
    ) : (
      <strong key={index} title={id}>
        <bdi>{text}</bdi>
      </strong>
    ),
  );
}

const textOf = (parts: readonly SentencePart[]): string => parts.map(({ text }) => text).join('');

interface FilterProps {
  readonly search: AuditSearch;
  readonly onChange: (changes: Partial<AuditSearch>) => void;
}

function Filters({ search, onChange }: FilterProps) {
  const { projects, keys } = useNames();
  const { data: people = [] } = useQuery(peopleQuery);
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
        emptyLabel="All"
        entries={projects}
        value={search.project}
        onChange={(project) => onChange({ project })}
      />
      <NativeSelect
        label="By"
        data={[
          { value: '', label: 'Everyone' },
          { group: 'People', items: people.map(toOption) },
          { group: 'Keys', items: keys.map(toOption) },
        ]}
        value={search.actor}
        onChange={({ target }) => onChange({ actor: target.value })}
      />
      <TextInput
        label="Changed ID"
        value={search.resource}
        placeholder="all"
        onChange={(event) => onChange({ resource: event.target.value })}
      />
      <TimeRange start={search.start_time} end={search.end_time} onChange={onChange} />
    </div>
  );
}

const toOption = ({ id, name }: NamedEntry) => ({ value: id, label: name });

function Empty({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) return <p className="note">No entry matches the filters.</p>;
  return (
    <EmptyState title="No entries" command={curlCommand(`${apiBaseURL}/organization/projects`, { name: 'Shop' })}>
      <p>Every change of a project, a key or a budget adds an entry, such as:</p>
    </EmptyState>
  );
}
