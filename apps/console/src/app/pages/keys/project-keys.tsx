import type { ProjectApiKey, ProjectApiKeyWithValue } from '@modelwire/client';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { keysQuery, projectQuery } from '../../api/organization.ts';
import { createActionsColumn } from '../../components/actions-column.tsx';
import type { Column } from '../../components/data-table.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { formatTime } from '../../components/format.ts';
import { PagedTable } from '../../components/paged-table.tsx';
import { RowConfirmButton } from '../../components/row-confirm-button.tsx';
import { CreateKey } from './create-key.tsx';
import { EditKey } from './edit-key.tsx';
import { describeLimits } from './limits.ts';
import { NewSecret } from './new-secret.tsx';
import { RotateKey } from './rotate-key.tsx';

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
    { header: 'Name', cell: ({ name, id }) => (name === '' ? id : name) },
    { header: 'Key', cell: ({ redacted_value }) => <code>{redacted_value}</code> },
    { header: 'Role', cell: ({ role }) => role.replaceAll('_', ' ') },
    { header: 'State', cell: (key) => <KeyState apiKey={key} /> },
    { header: 'Last used', cell: ({ last_used_at }) => (last_used_at === null ? 'never' : formatTime(last_used_at)) },
    { header: 'Expires', cell: ({ expires_at }) => (expires_at === null ? 'never' : formatTime(expires_at)) },
    { header: 'Limits', cell: (key) => <span title={describeLimits(key)}>{describeLimits(key)}</span> },
    createActionsColumn(
      (key) =>
        key.revoked_at === null && (
          <>
            {(['edit', 'rotate'] as const).map((action) => (
              <button
                key={action}
                type="button"
                className="small"
                aria-label={`${labels[action]} ${key.name}`}
                onClick={() => setOpen({ action, apiKey: key })}
              >
                {labels[action]}
              </button>
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
      {details.archived_at === null && <CreateKey project={project} onCreated={(key) => void show(key)} />}
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
  if (apiKey.revoked_at !== null) return <span className="badge bad">revoked</span>;
  if (apiKey.expires_at !== null && apiKey.expires_at * 1000 < Date.now()) {
    return <span className="badge warning">expired</span>;
  }
  return <span className="badge good">active</span>;
}
