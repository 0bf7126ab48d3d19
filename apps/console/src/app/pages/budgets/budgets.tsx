import { Button } from '@mantine/core';
import type { Budget } from '@modelwire/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { apiBaseURL } from '../../api/urls.ts';
import { api } from '../../api/client.ts';
import { curlCommand } from '../../api/curl-command.ts';
import { useNames } from '../../api/names.ts';
import { budgetsQuery } from '../../api/organization.ts';
import { currencyQuery } from '../../api/usage.ts';
import { createActionsColumn } from '../../components/actions-column.tsx';
import { CreateButton } from '../../components/create-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import type { Column } from '../../components/columns.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { NamedId } from '../../components/named-id.tsx';
import { NamedSelect } from '../../components/named-select.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { QueryNotice } from '../../components/query-notice.tsx';
import { RowConfirmButton } from '../../components/row-confirm-button.tsx';
import { budgetState, usedShare } from './amounts.ts';
import { BudgetBar } from './budget-bar.tsx';
import { CreateBudget } from './create-budget.tsx';
import { EditBudget } from './edit-budget.tsx';
import { Tag } from '../../components/tag.tsx';

const route = getRouteApi('/budgets');

/** The daily and monthly budgets of keys and projects, and their current spending. */
export function Budgets() {
  const { project, key } = route.useSearch();
  const navigate = route.useNavigate();
  const queryClient = useQueryClient();
  const [editing, setEditing] = useState<Budget>();
  const { data: currency } = useQuery(currencyQuery);
  const query = useQuery(
    budgetsQuery({ ...(project !== '' && { project_ids: [project] }), ...(key !== '' && { api_key_ids: [key] }) }),
  );
  const rows = query.data?.data;
  const reload = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['budgets'] });
  const reset = useMutation({ mutationFn: (id: string) => api.organization.budgets.reset(id), onSuccess: reload });
  const deletion = useMutation({ mutationFn: (id: string) => api.organization.budgets.delete(id), onSuccess: reload });
  const { projects, keys, nameOf } = useNames();
  const titleOf = (budget: Budget): string => `${budget.period} budget of ${nameOf(subjectOf(budget))}`;
  const filter = (changes: { readonly project?: string; readonly key?: string }): void =>
    void navigate({ search: { project, key, ...changes }, replace: true });
  const failure = reset.error ?? deletion.error;
  const confirmedActions = [
    { action: 'Reset', text: 'The spending of this period is reset to 0.', mutation: reset },
    {
      action: 'Delete',
      text: 'Its limits no longer apply. The spending remains in the usage report.',
      mutation: deletion,
    },
  ] as const;
  const columns: readonly Column<Budget>[] = [
    {
      header: 'Budget of',
      width: 160,
      grows: true,
      isRowHeader: true,
      sortBy: (budget) => nameOf(subjectOf(budget)),
      cell: (budget) => (
        <div className="two-lines">
          <NamedId id={subjectOf(budget)} name={nameOf(subjectOf(budget))} />
          <span className="note">
            {budget.project_id === null && 'key, '}
            {budget.unit} per {budget.period}
          </span>
        </div>
      ),
    },
    {
      header: 'Used',
      width: 350,
      sortBy: (budget) => usedShare(budget),
      cell: (budget) => <BudgetBar budget={budget} title={titleOf(budget)} currency={currency} />,
    },
    { header: 'State', width: 170, priority: 2, cell: (budget) => <State budget={budget} /> },
    { header: 'Period ends', width: 110, priority: 2, cell: ({ resets_at }) => <RelativeTime seconds={resets_at} /> },
    createActionsColumn(185, (budget) => {
      const name = titleOf(budget);
      return (
        <>
          <Button aria-label={`Edit the ${name}`} onClick={() => setEditing(budget)}>
            Edit
          </Button>
          {confirmedActions.map(({ action, text, mutation }) => (
            <RowConfirmButton
              key={action}
              action={action}
              kind="budget"
              name={`the ${name}`}
              text={text}
              onConfirm={() => mutation.mutate(budget.id)}
            />
          ))}
        </>
      );
    }),
  ];
  return (
    <>
      <PageHeader title="Budgets">
        <CreateButton label="New budget">
          {(onClose) => (
            <CreateBudget currency={currency} initialProject={project} onCreated={reload} onClose={onClose} />
          )}
        </CreateButton>
      </PageHeader>
      <div className="filters" role="search">
        <NamedSelect
          label="Project"
          emptyLabel="All"
          entries={projects}
          value={project}
          onChange={(id) => filter({ project: id })}
        />
        <NamedSelect label="Key" emptyLabel="All" entries={keys} value={key} onChange={(id) => filter({ key: id })} />
      </div>
      {failure !== null && <ErrorNotice title="The budget was not changed." error={failure} />}
      <QueryNotice query={query} errorTitle="The budgets could not be loaded." />
      {rows !== undefined && rows.length > 0 && (
        <DataTable label="Budgets" columns={columns} rows={rows} keyOf={({ id }) => id} rowHeight={86} />
      )}
      {rows?.length === 0 && <Empty isFiltered={project !== '' || key !== ''} />}
      {editing !== undefined && (
        <EditBudget
          budget={editing}
          currency={currency}
          title={`Edit the ${titleOf(editing)}`}
          onSaved={reload}
          onClose={() => setEditing(undefined)}
        />
      )}
    </>
  );
}

const subjectOf = ({ project_id, api_key_id }: Budget): string => project_id ?? api_key_id ?? '';

function State({ budget }: { readonly budget: Budget }) {
  const { label, tone } = budgetState(budget);
  return <Tag tone={tone}>{label}</Tag>;
}

function Empty({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) return <p className="note">No budget matches the filters.</p>;
  return (
    <EmptyState
      title="No budgets"
      command={curlCommand(`${apiBaseURL}/organization/budgets`, {
        project_id: 'default',
        unit: 'tokens',
        period: 'month',
        hard_limit: 1_000_000,
      })}
    >
      <p>
        A budget limits what a key or a project spends in a day or a month. Create one with the button above, or with
        the API:
      </p>
    </EmptyState>
  );
}
