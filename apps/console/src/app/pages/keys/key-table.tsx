import { Button } from '@mantine/core';
import type { ProjectApiKey, ProjectApiKeyWithValue } from '@modelwire/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useNames } from '../../api/names.ts';
import { usageQuery } from '../../api/usage.ts';
import { createActionsColumn } from '../../components/actions-column.tsx';
import { twoLineHeight } from '../../components/columns.ts';
import type { Column } from '../../components/columns.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { formatMoney, formatNumber } from '../../components/format.ts';
import { PagedTable } from '../../components/paged-table.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { RowConfirmButton } from '../../components/row-confirm-button.tsx';
import { EditKey } from './edit-key.tsx';
import { describeLimits } from './limits.ts';
import { NewSecret } from './new-secret.tsx';
import { RotateKey } from './rotate-key.tsx';
import { Tag } from '../../components/tag.tsx';

interface Props {
  readonly query: UseInfiniteQueryResult<InfiniteData<{ readonly data: readonly ProjectApiKey[] }>>;
  /** Whether the keys are of several projects. */
  readonly hasProjects?: boolean;
  readonly empty: React.ReactNode;
  /** Above the table. @param onCreated Shows the secret of a new key. */
  readonly children: (onCreated: (key: ProjectApiKeyWithValue) => Promise<void>) => React.ReactNode;
}

/** Days over which the costs of keys are summed. */
const costDays = 30;

/** Keys with what they cost, which are changed, rotated and revoked. */
export function KeyTable({ query, hasProjects = false, empty, children }: Props) {
  const queryClient = useQueryClient();
  const [created, setCreated] = useState<ProjectApiKeyWithValue>();
  const [open, setOpen] = useState<{ readonly action: 'edit' | 'rotate'; readonly apiKey: ProjectApiKey }>();
  const { nameOf } = useNames();
  const { data: usage } = useQuery(usageQuery({ days: costDays, project: '', key: '', model: '' }));
  // The report has the keys with the most requests.
  const groups = new Map(usage?.by_key.map((group) => [group.id, group]));
  const currency = usage?.currency;
  const spendingOf = (id: string) => (currency === null ? groups.get(id)?.requests : groups.get(id)?.cost);
  const reload = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['keys'] });
  const show = async (key: ProjectApiKeyWithValue): Promise<void> => {
    setCreated(key);
    await Promise.all([reload(), queryClient.invalidateQueries({ queryKey: ['projects', 'names'] })]);
  };
  const close = (): void => setOpen(undefined);
  const revocation = useMutation({
    mutationFn: ({ id, project_id }: ProjectApiKey) => api.organization.projects.apiKeys.delete(id, { project_id }),
    onSuccess: reload,
  });
  const columns: readonly Column<ProjectApiKey>[] = [
    {
      header: 'Name',
      width: 178,
      grows: true,
      sortBy: ({ name }) => name,
      cell: ({ name, id, role, redacted_value }) => (
        <span className="two-lines">
          <Link to="/usage" search={{ key: id }} title={`Usage of ${name || id}`}>
            <bdi>{name || id}</bdi>
          </Link>
          <span className="note">
            <code>{redacted_value}</code> {role.replaceAll('_', ' ')}
          </span>
        </span>
      ),
    },
    ...(hasProjects
      ? [{ header: 'Project', width: 120, cell: ({ project_id }: ProjectApiKey) => nameOf(project_id) }]
      : []),
    { header: 'State', width: 110, cell: (key) => <KeyState apiKey={key} /> },
    {
      header: 'Last used',
      width: 125,
      sortBy: ({ last_used_at }) => last_used_at,
      cell: ({ last_used_at }) => (last_used_at === null ? 'never' : <RelativeTime seconds={last_used_at} />),
    },
    {
      header: `${currency === null ? 'Requests' : 'Cost'}, ${costDays} days`,
      width: 120,
      numeric: true,
      sortBy: ({ id }) => spendingOf(id),
      cell: ({ id }) => {
        const spending = spendingOf(id);
        return spending !== undefined && currency ? formatMoney(spending, currency) : formatNumber(spending);
      },
    },
    {
      header: 'Expires',
      width: 120,
      priority: 2,
      sortBy: ({ expires_at }) => expires_at,
      cell: ({ expires_at }) => (expires_at === null ? 'never' : <RelativeTime seconds={expires_at} />),
    },
    {
      header: 'Limits',
      width: 112,
      priority: 2,
      cell: (key) => <span title={describeLimits(key)}>{describeLimits(key)}</span>,
    },
    createActionsColumn(
      190,
      (key) =>
        key.revoked_at === null && (
          <>
            {(['edit', 'rotate'] as const).map((action) => (
              <Button
                key={action}
                aria-label={`${labels[action]} ${key.name}`}
                onClick={() => setOpen({ action, apiKey: key })}
              >
                {labels[action]}
              </Button>
            ))}
            <RowConfirmButton
              action="Revoke"
              kind="key"
              name={key.name}
              text="Requests and sessions with this key are refused from then on."
              onConfirm={() => revocation.mutate(key)}
            />
          </>
        ),
    ),
  ];
  return (
    <>
      {children(show)}
      {created !== undefined && <NewSecret apiKey={created} onClose={() => setCreated(undefined)} />}
      {open?.action === 'edit' && <EditKey apiKey={open.apiKey} onSaved={reload} onClose={close} />}
      {open?.action === 'rotate' && <RotateKey apiKey={open.apiKey} onRotated={show} onClose={close} />}
      {revocation.error !== null && <ErrorNotice title="The key was not revoked." error={revocation.error} />}
      <PagedTable label="Keys" columns={columns} query={query} rowHeight={twoLineHeight} empty={empty} />
    </>
  );
}

const labels = { edit: 'Edit', rotate: 'Rotate' } as const;

function KeyState({ apiKey }: { readonly apiKey: ProjectApiKey }) {
  if (apiKey.revoked_at !== null) return <Tag tone="bad">revoked</Tag>;
  if (apiKey.expires_at !== null && apiKey.expires_at * 1000 < Date.now()) {
    return <Tag tone="warning">expired</Tag>;
  }
  return <Tag tone="good">active</Tag>;
}
