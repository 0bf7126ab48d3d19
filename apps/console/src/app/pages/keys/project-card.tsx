import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { projectQuery } from '../../api/organization.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { NamedId } from '../../components/named-id.tsx';
import { formatBytes, formatTime } from '../../components/format.ts';
import { EditProject } from './edit-project.tsx';
import { describeLimits } from './limits.ts';
import { Tag } from '../../components/tag.tsx';

/** A project with its state, storage and limits. */
export function ProjectCard({ id }: { readonly id: string }) {
  const queryClient = useQueryClient();
  const [editing, setEditing] = useState(false);
  const { data: project, error, refetch } = useQuery(projectQuery(id));
  const reload = async (): Promise<void> => {
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: ['project', id] }),
      queryClient.invalidateQueries({ queryKey: ['projects'] }),
    ]);
  };
  const archiving = useMutation({ mutationFn: () => api.organization.projects.archive(id), onSuccess: reload });
  if (error !== null) {
    return <ErrorNotice title="The project could not be loaded." error={error} onRetry={() => void refetch()} />;
  }
  if (project === undefined) return <p className="loading">Loading…</p>;
  const { name, archived_at, storage_limit_bytes: limit, storage_used_bytes: used = 0 } = project;
  return (
    <section className="card" aria-label="Project">
      <div className="section-header">
        <h2>{name === '' ? id : name}</h2>
        {archived_at === null && (
          <div className="actions">
            <Button onClick={() => setEditing(true)}>Edit project</Button>
            <ConfirmButton
              label="Archive project"
              title={`Archive ${name === '' ? id : name}?`}
              text="All keys and sessions of the project are refused from then on. Its records are kept. An archived project cannot be activated again."
              confirmLabel="Archive"
              onConfirm={() => archiving.mutate()}
            />
          </div>
        )}
      </div>
      <DescriptionList
        entries={[
          ['ID', <NamedId key="id" id={id} />],
          [
            'State',
            archived_at === null ? (
              <Tag tone="good">active</Tag>
            ) : (
              <>
                <Tag tone="bad">archived</Tag> {formatTime(archived_at)}
              </>
            ),
          ],
          ['Storage', limit === null ? formatBytes(used) : `${formatBytes(used)} of ${formatBytes(limit)}`],
          ['Limits', describeLimits(project)],
          [
            'Budgets',
            <Link key="budgets" to="/budgets" search={{ project: id }}>
              Show
            </Link>,
          ],
        ]}
      />
      {archiving.error !== null && <ErrorNotice title="The project was not archived." error={archiving.error} />}
      {editing && <EditProject project={project} onSaved={reload} onClose={() => setEditing(false)} />}
    </section>
  );
}
