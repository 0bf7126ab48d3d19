import type { ServerStatus } from '@modelwire/server/internal';
import { queryOptions } from '@tanstack/react-query';
import { api, consoleApi } from './client.ts';

export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: ({ signal }) => consoleApi.request<ServerStatus>({ method: 'GET', path: '/status' }, { signal }),
  refetchInterval: 5_000,
});

/** The capabilities of a chat model. The server returns a 404 for models of other kinds. */
export function capabilitiesQuery(model: string) {
  return queryOptions({
    queryKey: ['capabilities', model],
    queryFn: ({ signal }) => api.models.capabilities(model, { signal }),
    staleTime: 60_000,
  });
}
