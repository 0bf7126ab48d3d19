import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { projectsQuery } from '../../api/organization.ts';
import { LoadMoreButton } from '../../components/load-more-button.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryNotice } from '../../components/query-notice.tsx';
import { CreateProject } from './create-project.tsx';
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
  const selectProject = (id: string): void => void navigate({ search: { project: id, archived }, replace: true });
  return (
    <>
      <PageHeader title="Keys and projects" />
      <div className="filters">
        <label className="field">
          Project
          <select value={selectedId} onChange={(event) => selectProject(event.target.value)}>
            {selectedId !== '' && !projects.some(({ id }) => id === selectedId) && <option>{selectedId}</option>}
            {projects.map(({ id, name, status }) => (
              <option key={id} value={id}>
                {name === '' ? id : name}
                {status === 'archived' ? ' (archived)' : ''}
              </option>
            ))}
          </select>
        </label>
        <LoadMoreButton entries="projects" query={query} />
        <label className="check">
          <input
            type="checkbox"
            checked={archived}
            onChange={(event) => void navigate({ search: { project, archived: event.target.checked }, replace: true })}
          />
          Show archived projects
        </label>
        <CreateProject onCreated={selectProject} />
      </div>
      <QueryNotice query={query} errorTitle="The projects could not be loaded." />
      {selectedId !== '' && (
        <div key={selectedId}>
          <ProjectCard id={selectedId} />
          <ProjectKeys project={selectedId} />
        </div>
      )}
    </>
  );
}
