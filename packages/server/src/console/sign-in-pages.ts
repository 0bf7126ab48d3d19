import * as z from 'zod';
import type { HttpRequest } from '../call.ts';
import type { ServerContext } from '../context.ts';
import { RequestError } from '../errors.ts';
import { handlePage } from '../http/page.ts';
import type { HttpResponse } from '../http/reply.ts';
import type { Handle } from '../http/router.ts';
import type { IdentityProvider } from '../options/types.ts';
import { cookieOf, scopeOfUrl, setCookie, setSessionCookie } from '../sessions/cookie.ts';
import { limitSignIns } from './limit-sign-ins.ts';
import { signInErrorPage } from './sign-in-error-page.ts';
import { signInUrls } from './sign-in-urls.ts';

/** Seconds that a person may take to sign in at the provider. */
const signInSeconds = 600;

/** What a cookie keeps during a sign-in, which therefore has to end in the browser that started it. */
const pendingSchema = z.strictObject({
  checks: z.record(z.string(), z.string()),
  /** Relative to the console. */
  returnTo: z.string(),
});
type PendingSignIn = z.output<typeof pendingSchema>;

/** The pages that lead to the identity provider, and back from it. */
export function signInPages(
  provider: IdentityProvider,
  server: ServerContext,
): readonly { readonly path: string; readonly handle: Handle }[] {
  const urls = signInUrls(provider);
  const scope = scopeOfUrl(provider.publicUrl);
  // With the prefix, other hosts of the domain cannot set it.
  const cookieName = `${scope.isSecure ? '__Host-' : ''}modelwire_sign_in`;

  async function start(request: HttpRequest): Promise<HttpResponse> {
    const query = queryOf(request);
    const { url, checks } = await provider.start({
      redirectUri: urls.callback,
      mustAuthenticate: query.get('again') === 'true',
    });
    const pending: PendingSignIn = { checks, returnTo: query.get('return_to') ?? '' };
    const cookie = setCookie(cookieName, Buffer.from(JSON.stringify(pending)).toString('base64url'), {
      path: '/',
      isSecure: scope.isSecure,
      maxAgeSeconds: signInSeconds,
      // The provider, another site, sends the browser back.
      sameSite: 'Lax',
    });
    return redirect(url, cookie);
  }
  async function finish(request: HttpRequest): Promise<HttpResponse> {
    await limitSignIns(request, server);
    const pending = parsePending(cookieOf(request.header, cookieName));
    if (!pending) throw signInExpired();
    const callback = new URL(urls.callback);
    callback.search = queryOf(request).toString();
    const person = await provider.identify(callback, pending.checks);
    const session = await server.sessions.start({ keyHash: null, person });
    if (!session) throw noAccess(person.name);
    return redirect(returnUrl(pending.returnTo, urls.console), setSessionCookie(session, scope));
  }
  return [
    { path: urls.paths.start, page: start },
    { path: urls.paths.callback, page: finish },
  ].map(({ path, page }) => ({ path, handle: handlePage(page, server, signInErrorPage(urls)) }));
}

function queryOf({ url }: HttpRequest): URLSearchParams {
  return new URLSearchParams(url.split('?').slice(1).join('?'));
}

function parsePending(cookie: string | undefined): PendingSignIn | undefined {
  if (cookie === undefined) return undefined;
  try {
    return pendingSchema.safeParse(JSON.parse(Buffer.from(cookie, 'base64url').toString())).data;
  } catch {
    return undefined;
  }
}

/** The page of the console to show; the start page for anything that is not below the console. */
function returnUrl(returnTo: string, consoleUrl: URL): URL {
  const url = URL.parse(returnTo, consoleUrl.href);
  const isPage =
    url?.origin === consoleUrl.origin &&
    url.pathname.startsWith(consoleUrl.pathname) &&
    !url.pathname.startsWith(`${consoleUrl.pathname}api/`);
  return isPage ? url : consoleUrl;
}

/** The code in the URL of the request must not reach a cache or another site. */
function redirect(location: URL, cookie: string): HttpResponse {
  const headers = {
    location: location.href,
    'set-cookie': cookie,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  };
  return { status: 302, headers, body: '' };
}

function signInExpired(): RequestError {
  return new RequestError(
    'This sign-in was started in another browser, or more than ten minutes ago. Sign in again. If this repeats, this browser blocks cookies.',
    { status: 400, code: 'sign_in_expired' },
  );
}

function noAccess(name: string): RequestError {
  return new RequestError(
    `${name} has no access to this server: the project of this account does not exist, or is archived.`,
    { status: 403, code: 'no_access' },
  );
}
