import type { NameList, PersonList } from '@modelwire/server/internal';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useSession } from '../shell/session-context.ts';
import { consoleApi } from './client.ts';
import { isPermitted } from './permissions.ts';

/** A key or a project by its name, for choices. */
export interface NamedEntry {
  readonly id: string;
  readonly name: string;
}

export interface NamedKey extends NamedEntry {
  /** The first characters of the secret, and an ellipsis. */
  readonly hint: string;
  /** ID of the project. */
  readonly project: string;
}

/** The projects, keys, budgets and webhooks of the server. */
export interface Names {
  readonly projects: readonly NamedEntry[];
  /** Their names have that of the project if there are several. */
  readonly keys: readonly NamedKey[];
  /** The name of a project, a key or a webhook; its ID if it is unknown. */
  readonly nameOf: (id: string) => string;
  readonly budgetOf: (id: string) => NameList['budgets'][number] | undefined;
}

function toNames({ projects, keys, budgets, webhooks }: NameList): Names {
  const known = new Map([...projects, ...keys, ...webhooks].map(({ id, name }) => [id, name]));
  const nameOf = (id: string): string => known.get(id) ?? id;
  return {
    projects,
    keys: projects.length > 1 ? keys.map((key) => ({ ...key, name: `${key.name} (${nameOf(key.project)})` })) : keys,
    nameOf,
    budgetOf: (id) => budgets.find((budget) => budget.id === id),
  };
}

// Pages invalidate projects when they change them or their keys.
export const namesQuery = queryOptions({
  queryKey: ['projects', 'names'],
  queryFn: ({ signal }) => consoleApi.request<NameList>({ method: 'GET', path: '/names' }, { signal }),
  select: toNames,
  staleTime: 10_000,
});

/** The people who signed in without a key, as the audit log names them. */
export const peopleQuery = queryOptions({
  queryKey: ['people'],
  queryFn: ({ signal }) => consoleApi.request<PersonList>({ method: 'GET', path: '/people' }, { signal }),
  select: ({ people }): readonly NamedEntry[] => people.toSorted((a, b) => a.name.localeCompare(b.name)),
  staleTime: 60_000,
});

const noNames: Names = toNames({ projects: [], keys: [], budgets: [], webhooks: [] });

/** The names of projects, keys and webhooks. Only IDs until they are loaded, and for keys that may not list them. */
export function useNames(): Names {
  const session = useSession();
  const { data } = useQuery({ ...namesQuery, enabled: isPermitted(session, 'operate') });
  return data ?? noNames;
}
