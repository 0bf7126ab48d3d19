import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';
import { queryClient } from './query-client.ts';

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

export type Kind = 'chat' | 'embedding' | 'video';
type Models = Awaited<ReturnType<typeof modelList.queryFn>>;

const idsOfKind = (models: Models, kind: Kind): readonly string[] => [
  ...new Set(
    models
      .filter(({ kinds, dialect }) => dialect === undefined && (kinds === undefined || kinds.includes(kind)))
      .map(({ id }) => id),
  ),
];

/** The IDs of the models of a kind, and of models whose kind the server does not report. The console uses no other API than that of chats. */
export function modelsOfKindQuery(kind: Kind) {
  return queryOptions({ ...modelList, select: (models): readonly string[] => idsOfKind(models, kind) });
}

/** The IDs of the models of a kind, as soon as the models are listed. */
export async function listModelsOfKind(kind: Kind): Promise<readonly string[]> {
  return idsOfKind(await queryClient.ensureQueryData(modelList), kind);
}
