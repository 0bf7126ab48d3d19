import { isModelwireError } from '@modelwire/client';
import { queryOptions } from '@tanstack/react-query';
import { consoleApi } from './client.ts';
import { setCsrfToken } from './csrf.ts';

/** The session, with the key and its permissions. */
export interface Session {
  /** Empty if the server requires no session. */
  readonly csrf_token: string;
  readonly role: 'admin' | 'member' | 'read';
  readonly project: string;
  readonly key_name: string | null;
  readonly permissions: readonly string[];
  readonly version: string;
}

const path = '/session';

/** Uses the CSRF token of the session for further requests. */
function activateSession(session: Session): Session {
  setCsrfToken(session.csrf_token);
  return session;
}

/** The current session; `null` if no one is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }): Promise<Session | null> => {
    try {
      return activateSession(await consoleApi.request<Session>({ method: 'GET', path }, { signal }));
    } catch (error) {
      if (isModelwireError(error) && error.status === 401) return null;
      throw error;
    }
  },
  staleTime: Infinity,
});

/** Signs in with an API key, or with the one-time code that `modelwire serve` prints. */
export async function signIn(credential: { readonly key: string } | { readonly code: string }): Promise<Session> {
  return activateSession(
    await consoleApi.request<Session>({ method: 'POST', path }, { body: credential, maxRetries: 0 }),
  );
}

/** Ends the session on the server. */
export async function signOut(): Promise<void> {
  await consoleApi.request({ method: 'DELETE', path }, { maxRetries: 0 });
  setCsrfToken(undefined);
}
