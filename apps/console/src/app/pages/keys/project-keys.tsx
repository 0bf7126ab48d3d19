import { Button } from '@mantine/core';
import type { ProjectApiKey, ProjectApiKeyWithValue } from '@modelwire/client';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { keysQuery, projectQuery } from '../../api/organization.ts';
import { createActionsColumn } from '../../components/actions-column.tsx';
import type { Column } from '../../components/columns.ts';
import { CreateButton } from '../../components/create-button.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { RowConfirmButton } from '../../components/row-confirm-button.tsx';
import { CreateKey } from './create-key.tsx';
import { EditKey } from './edit-key.tsx';
import { describeLimits } from './limits.ts';
import { NewSecret } from './new-secret.tsx';
import { RotateKey } from './rotate-key.tsx';
import { Tag } from '../../components/tag.tsx';

/** The keys of a project. */
export function ProjectKeys({ project }: { readonly project: string }) {
  const queryClient = useQueryClient();
  const [created, setCreated] = useState<ProjectApiKeyWithValue>();
  const [open, setOpen] = useState<{ readonly action: 'edit' | 'rotate'; readonly apiKey: ProjectApiKey }>();
  const query = useInfiniteQuery(keysQuery(project));
  const { data: details } = useQuery(projectQuery(project));
  const reload = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['keys', project] });
  const show = async (key: ProjectApiKeyWithValue): Promise<void> => {
    setCreated(key);
    await reload();
  };
  const close = (): void => setOpen(undefined);
  const revocation = useMutation({
    mutationFn: (id: string) => api.organization.projects.apiKeys.delete(id, { project_id: project }),
    onSuccess: reload,
  });
  const columns: readonly Column<ProjectApiKey>[] = [
    {
      header: 'Name',
      width: 140,
      grows: true,
      sortBy: ({ name }) => name,
      cell: ({ name, id }) => (name === '' ? id : name),
    },
    { header: 'Key', priority: 3, cell: ({ redacted_value }) => <code>{redacted_value}</code> },
    { header: 'Role', width: 120, priority: 2, cell: ({ role }) => role.replaceAll('_', ' ') },
    { header: 'State', width: 110, cell: (key) => <KeyState apiKey={key} /> },
    {
      header: 'Last used',
      width: 120,
      sortBy: ({ last_used_at }) => last_used_at,
      cell: ({ last_used_at }) => (last_used_at === null ? 'never' : <RelativeTime seconds={last_used_at} />),
    },
    {
      header: 'Expires',
      width: 110,
      priority: 2,
      sortBy: ({ expires_at }) => expires_at,
      cell: ({ expires_at }) => (expires_at === null ? 'never' : <RelativeTime seconds={expires_at} />),
    },
    {
      header: 'Limits',
      width: 170,
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
              onConfirm={() => revocation.mutate(key.id)}
            />
          </>
        ),
    ),
  ];
  // Prevents a layout shift: the project is shown above the keys.
  if (details === undefined) return null;
  return (
    <>
      <div className="section-header">
        <h2>Keys</h2>
        {details.archived_at === null && (
          <CreateButton label="New key">
            {(onClose) => <CreateKey project={project} onCreated={show} onClose={onClose} />}
          </CreateButton>
        )}
      </div>
      {created !== undefined && <NewSecret apiKey={created} onClose={() => setCreated(undefined)} />}
      {open?.action === 'edit' && <EditKey apiKey={open.apiKey} onSaved={reload} onClose={close} />}
      {open?.action === 'rotate' && <RotateKey apiKey={open.apiKey} onRotated={show} onClose={close} />}
      {revocation.error !== null && <ErrorNotice title="The key was not revoked." error={revocation.error} />}
      <PagedTable
        label="Keys"
        columns={columns}
        query={query}
        empty={<p className="note">The project has no stored keys.</p>}
      />
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
