import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

/** The ids of all models. */
export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: async ({ signal }): Promise<readonly string[]> => {
    const { data } = await api.models.list({ signal });
    return [...new Set(data.map(({ id }) => id))];
  },
  staleTime: 60_000,
});
