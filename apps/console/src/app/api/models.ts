import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

const modelList = {
  queryKey: ['models'],
  queryFn: async ({ signal }: { readonly signal: AbortSignal }) => (await api.models.list({ signal })).data,
  staleTime: 60_000,
};

/** The IDs of all models. */
export const modelsQuery = queryOptions({
  ...modelList,
  select: (models): readonly string[] => [...new Set(models.map(({ id }) => id))],
});

/** The IDs of the models of a kind, and of models whose kind the server does not report. */
export function modelsOfKindQuery(kind: 'chat' | 'video') {
  return queryOptions({
    ...modelList,
    select: (models): readonly string[] => [
      ...new Set(models.flatMap(({ id, kinds }) => (kinds === undefined || kinds.includes(kind) ? [id] : []))),
    ],
  });
}
