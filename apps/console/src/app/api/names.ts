import { queryOptions, useQuery } from '@tanstack/react-query';
import { useSession } from '../shell/session-context.ts';
import { api } from './client.ts';
import { isPermitted } from './permissions.ts';

/** A key or a project by its name, for choices. */
export interface NamedEntry {
  readonly id: string;
  readonly name: string;
}

export interface NamedKey extends NamedEntry {
  /** ID of the project. */
  readonly project: string;
}

/** The projects and keys of the server. */
export interface Names {
  readonly projects: readonly NamedEntry[];
  /** Their names have that of the project if there are several. */
  readonly keys: readonly NamedKey[];
  /** The name of a project or a key; its ID if it has none, or is unknown. */
  readonly nameOf: (id: string) => string;
}

const { projects: projectsApi } = api.organization;

/** Projects with keys to list: each takes a request. */
const maxProjects = 200;

const namesQuery = queryOptions({
  queryKey: ['projects', 'names'],
  queryFn: async ({ signal }): Promise<Names> => {
    const listed = await Array.fromAsync(projectsApi.list({ limit: 100, include_archived: 'true' }, { signal }));
    const projects = listed.map(({ id, name }) => ({ id, name: name || id }));
    const hasSeveral = projects.length > 1;
    const lists = await Promise.all(
      projects.slice(0, maxProjects).map(async ({ id: project, name: projectName }) => {
        // If the keys of a project cannot be listed, they are shown by ID.
        const keys = await Array.fromAsync(projectsApi.apiKeys.list(project, { limit: 100 }, { signal })).catch(
          () => [],
        );
        return keys.map(({ id, name, redacted_value }) => ({ id, project, projectName, name: name || redacted_value }));
      }),
    );
    const keys = lists.flat();
    const known = new Map([...projects, ...keys].map(({ id, name }) => [id, name]));
    return {
      projects,
      keys: keys.map(({ id, name, project, projectName }) => ({
        id,
        project,
        name: hasSeveral ? `${name} (${projectName})` : name,
      })),
      nameOf: (id) => known.get(id) ?? id,
    };
  },
  staleTime: 60_000,
});

const noNames: Names = { projects: [], keys: [], nameOf: (id) => id };

/** The names of projects and keys. Only IDs until they are loaded, and for keys that may not list them. */
export function useNames(): Names {
  const session = useSession();
  const { data } = useQuery({ ...namesQuery, enabled: isPermitted(session, 'operate') });
  return data ?? noNames;
}
