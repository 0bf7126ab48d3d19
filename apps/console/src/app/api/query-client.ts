import { AuthenticationError, ConnectionError } from '@modelwire/client';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { markUnreachable } from './connection.ts';
import { sessionQuery } from './session.ts';

function onError(error: unknown): void {
  if (error instanceof ConnectionError) markUnreachable();
  // The session has expired or was revoked: the sign-in form replaces the page, and the URL does not change.
  if (error instanceof AuthenticationError) queryClient.setQueryData(sessionQuery.queryKey, null);
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    // The client already retries. `navigator.onLine` does not apply to a server on this machine.
    queries: { retry: false, networkMode: 'always', staleTime: 5_000 },
    mutations: { retry: false, networkMode: 'always' },
  },
});
