import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { keysQuery, projectsQuery, revokeKey, rotateKey } from '../../api/organization.ts';
import type { ProjectApiKey, ProjectApiKeyWithValue } from '../../api/organization.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import type { Column } from '../../components/data-table.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { formatNumber, formatTime } from '../../components/format.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { CreateKey } from './create-key.tsx';
import { CreateProject } from './create-project.tsx';
import { NewSecret } from './new-secret.tsx';

const route = getRouteApi('/keys');

/** The projects, and the keys of one of them. */
export function Keys() {
  const { project } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, isPending, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery(projectsQuery);
  const projects = data?.pages.flatMap((page) => page.data) ?? [];
  const chosen = project === '' ? (projects[0]?.id ?? '') : project;
  const choose = (id: string): void => void navigate({ search: { project: id }, replace: true });
  return (
    <>
      <PageHeader title="Keys and projects" />
      {error !== null && (
        <ErrorNotice title="The projects could not be loaded." error={error} onRetry={() => void refetch()} />
      )}
      {isPending && <p className="loading">Loading…</p>}
      <div className="filters">
        <label className="field">
          Project
          <select value={chosen} onChange={(event) => choose(event.target.value)}>
            {chosen !== '' && !projects.some(({ id }) => id === chosen) && <option>{chosen}</option>}
            {projects.map(({ id, name, status }) => (
              <option key={id} value={id}>
                {name === '' ? id : name}
                {status === 'archived' ? ' (archived)' : ''}
              </option>
            ))}
          </select>
        </label>
        {hasNextPage && (
          <button type="button" onClick={() => void fetchNextPage()}>
            Load more projects
          </button>
        )}
        <CreateProject onCreated={choose} />
      </div>
      {chosen !== '' && <ProjectKeys key={chosen} project={chosen} />}
    </>
  );
}

function ProjectKeys({ project }: { readonly project: string }) {
  const queryClient = useQueryClient();
  const [created, setCreated] = useState<ProjectApiKeyWithValue>();
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    keysQuery(project),
  );
  const rows = data?.pages.flatMap((page) => page.data) ?? [];
  const loadMore = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  const reload = (): Promise<void> => queryClient.resetQueries({ queryKey: ['keys', project] });
  const rotation = useMutation({
    mutationFn: (id: string) => rotateKey(project, id),
    onSuccess: async (key) => {
      setCreated(key);
      await reload();
    },
  });
  const revocation = useMutation({ mutationFn: (id: string) => revokeKey(project, id), onSuccess: reload });
  const columns: readonly Column<ProjectApiKey>[] = [
    { header: 'Name', cell: ({ name, id }) => (name === '' ? id : name) },
    { header: 'Key', cell: ({ redacted_value }) => <code>{redacted_value}</code> },
    { header: 'Role', cell: ({ role }) => role.replaceAll('_', ' ') },
    { header: 'State', cell: (key) => <KeyState apiKey={key} /> },
    { header: 'Last used', cell: ({ last_used_at }) => (last_used_at === null ? 'never' : formatTime(last_used_at)) },
    { header: 'Expires', cell: ({ expires_at }) => (expires_at === null ? 'never' : formatTime(expires_at)) },
    { header: 'Requests/min', numeric: true, cell: (key) => formatNumber(key.requests_per_minute) },
    { header: 'Tokens/min', numeric: true, cell: (key) => formatNumber(key.tokens_per_minute) },
    {
      header: 'Actions',
      cell: (key) =>
        key.revoked_at === null && (
          <div className="actions">
            <ConfirmButton
              label="Rotate"
              description={`Rotate ${key.name}`}
              title={`Rotate ${key.name}?`}
              text="The key gets a new secret, which is shown once. The previous secret is refused from then on."
              confirmLabel="Rotate key"
              onConfirm={() => rotation.mutate(key.id)}
            />
            <ConfirmButton
              label="Revoke"
              description={`Revoke ${key.name}`}
              title={`Revoke ${key.name}?`}
              text="Requests and sessions with this key are refused from then on."
              confirmLabel="Revoke key"
              onConfirm={() => revocation.mutate(key.id)}
            />
          </div>
        ),
    },
  ];
  const failure = rotation.error ?? revocation.error;
  return (
    <>
      <CreateKey
        project={project}
        onCreated={(key) => {
          setCreated(key);
          void reload();
        }}
      />
      {created !== undefined && <NewSecret apiKey={created} onClose={() => setCreated(undefined)} />}
      {failure !== null && <ErrorNotice title="The key was not changed." error={failure} />}
      {error !== null && (
        <ErrorNotice title="The keys could not be loaded." error={error} onRetry={() => void refetch()} />
      )}
      {isPending && <p className="loading">Loading…</p>}
      {rows.length > 0 && (
        <DataTable
          label="Keys"
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          hasMore={hasNextPage && error === null}
          isLoadingMore={isFetchingNextPage}
          onEndReached={loadMore}
        />
      )}
      {data !== undefined && rows.length === 0 && <p className="note">The project has no stored keys.</p>}
    </>
  );
}

function KeyState({ apiKey }: { readonly apiKey: ProjectApiKey }) {
  if (apiKey.revoked_at !== null) return <span className="badge bad">revoked</span>;
  if (apiKey.expires_at !== null && apiKey.expires_at * 1000 < Date.now()) {
    return <span className="badge warning">expired</span>;
  }
  return <span className="badge good">active</span>;
}
