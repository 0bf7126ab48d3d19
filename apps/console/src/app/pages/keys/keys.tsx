import { Checkbox } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { projectsQuery } from '../../api/organization.ts';
import { CreateButton } from '../../components/create-button.tsx';
import { EnteredField } from '../../components/entered-field.tsx';
import { LoadMoreButton } from '../../components/load-more-button.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryNotice } from '../../components/query-notice.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { CreateProject } from './create-project.tsx';
import { FoundKeys } from './found-keys.tsx';
import { ProjectCard } from './project-card.tsx';
import { ProjectKeys } from './project-keys.tsx';

const route = getRouteApi('/keys');

/** Selects a project, and shows its limits and keys. */
export function Keys() {
  const { project, archived } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(projectsQuery({ archived }));
  const projects = query.data?.pages.flatMap((page) => page.data) ?? [];
  const selectedId = project === '' ? (projects[0]?.id ?? '') : project;
  // Not in the URL, since it may be a secret.
  const [wanted, setWanted] = useState('');
  const selectProject = (id: string): void => {
    setWanted('');
    void navigate({ search: { project: id, archived }, replace: true });
  };
  const listed = projects.map(({ id, name, status }) => ({
    value: id,
    label: `${name === '' ? id : name}${status === 'archived' ? ' (archived)' : ''}`,
  }));
  const isListed = projects.some(({ id }) => id === selectedId);
  return (
    <>
      <PageHeader title="Keys and projects">
        <CreateButton label="New project" variant="default">
          {(onClose) => <CreateProject onCreated={selectProject} onClose={onClose} />}
        </CreateButton>
      </PageHeader>
      <div className="filters">
        <EnteredField label="Find key" placeholder="Name or secret" value={wanted} onEnter={setWanted} />
        <SelectField
          label="Project"
          options={isListed || selectedId === '' ? listed : [selectedId, ...listed]}
          value={selectedId}
          onChange={selectProject}
        />
        <LoadMoreButton entries="projects" query={query} />
        <Checkbox
          label="Show archived projects"
          checked={archived}
          onChange={(event) => void navigate({ search: { project, archived: event.target.checked }, replace: true })}
        />
      </div>
      <QueryNotice query={query} errorTitle="The projects could not be loaded." />
      {wanted !== '' ? (
        <FoundKeys text={wanted} />
      ) : (
        selectedId !== '' && (
          <div key={selectedId} className="sections">
            <ProjectCard id={selectedId} />
            <ProjectKeys project={selectedId} />
          </div>
        )
      )}
    </>
  );
}
