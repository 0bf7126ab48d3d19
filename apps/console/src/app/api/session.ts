import { isModelwireError } from '@modelwire/client';
import { queryOptions } from '@tanstack/react-query';
import { consoleApi } from './client.ts';
import { setCsrfToken } from './csrf.ts';
import { clearPersonalStorage, openPersonalStorage } from './personal-storage.ts';
import { consoleURL } from './urls.ts';

/** The session, with its permissions. */
export interface Session {
  /** Empty if the server requires no session. */
  readonly csrf_token: string;
  readonly role: 'admin' | 'member' | 'read';
  readonly project: string;
  /** The ID of the key, or of the person. */
  readonly key_id: string;
  /** The name of the key, or of the person. */
  readonly key_name: string | null;
  readonly permissions: readonly string[];
  readonly version: string;
  /** Whether a model edits or extends uploaded videos. */
  readonly video_uploads: boolean;
}

const path = '/session';

/** Uses the CSRF token of the session for further requests, and the storage of its key or person. */
function activateSession(session: Session): Session {
  setCsrfToken(session.csrf_token);
  openPersonalStorage(session.key_id);
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

/** An identity provider that people can sign in with, without a key. */
interface SignInMethods {
  readonly identity_provider: { readonly name: string; /** The page that leads to it. */ readonly url: string } | null;
}

/** How people can sign in besides with a key. */
export const signInMethodsQuery = queryOptions({
  queryKey: ['session', 'methods'],
  queryFn: ({ signal }) => consoleApi.request<SignInMethods>({ method: 'GET', path: '/sign-in' }, { signal }),
  staleTime: Infinity,
});

/** The URL that signs in by an identity provider and then returns to the current page. */
export function signInUrl(url: string): string {
  const signIn = new URL(url);
  const page = location.href.replace(/#.*/, '');
  if (page.startsWith(consoleURL.href)) signIn.searchParams.set('return_to', page.slice(consoleURL.href.length));
  return signIn.href;
}

/** Removes what the browser keeps of the key or person, and ends the session on the server. Resolves to the page of the identity provider that ends its session, if there is one. */
export async function signOut(): Promise<string | null> {
  clearPersonalStorage();
  const { sign_out_url: url } = await consoleApi.request<{ readonly sign_out_url: string | null }>(
    { method: 'DELETE', path },
    { maxRetries: 0 },
  );
  setCsrfToken(undefined);
  return url;
}
