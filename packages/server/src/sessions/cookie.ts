import type { ActiveSession } from './sessions.ts';

/** The cookie that contains the token of a session. */
const sessionCookie = 'modelwire_session';

type Header = (name: string) => string | null;

/** Where browsers send a cookie. */
export interface CookieScope {
  readonly path: string;
  readonly isSecure: boolean;
}

/** The token that a request sends as its cookie; undefined without one. */
export function sessionTokenOf(header: Header): string | undefined {
  return cookieOf(header, sessionCookie);
}

/** `Set-Cookie` for a new session: never sent by pages of other sites. */
export function setSessionCookie({ token, maxSeconds }: ActiveSession, scope: CookieScope): string {
  return setCookie(sessionCookie, token, { ...scope, maxAgeSeconds: maxSeconds, sameSite: 'Strict' });
}

/** `Set-Cookie` that removes the cookie. */
export function clearSessionCookie(scope: CookieScope): string {
  return setCookie(sessionCookie, '', { ...scope, maxAgeSeconds: 0, sameSite: 'Strict' });
}

/** The value of a cookie; undefined without it. Of several cookies of this name, the first counts. */
export function cookieOf(header: Header, name: string): string | undefined {
  for (const pair of header('cookie')?.split(';') ?? []) {
    const separator = pair.indexOf('=');
    if (separator !== -1 && pair.slice(0, separator).trim() === name) return pair.slice(separator + 1).trim();
  }
  return undefined;
}

/** `Set-Cookie` for a cookie that scripts cannot read. */
export function setCookie(
  name: string,
  value: string,
  { path, isSecure, maxAgeSeconds, sameSite }: CookieScope & { maxAgeSeconds: number; sameSite: 'Strict' | 'Lax' },
): string {
  const attributes = [
    `${name}=${value}`,
    `Max-Age=${maxAgeSeconds}`,
    `Path=${path}`,
    'HttpOnly',
    `SameSite=${sameSite}`,
  ];
  return (isSecure ? [...attributes, 'Secure'] : attributes).join('; ');
}

/** The scope of the session cookie for the page that sends a request. */
export function scopeOfRequest({ url, header }: { readonly url: string; readonly header: Header }): CookieScope {
  return { path: pathPrefix(header), isSecure: isHttps(url, header) };
}

/** The same for a server at this URL, which ends in a slash. */
export function scopeOfUrl({ protocol, pathname }: URL): CookieScope {
  return { path: pathname === '/' ? '/' : pathname.slice(0, -1), isSecure: protocol === 'https:' };
}

/**
 * The path under which the browser reaches this server: a reverse proxy or another app may serve it under a sub-path that it removes. The
 * page of the console sends its own address as `Referer`. Without it the cookie is for the whole host.
 */
function pathPrefix(header: Header): string {
  const referer = URL.parse(header('referer') ?? '');
  const end = referer ? referer.pathname.indexOf('/console') : -1;
  const prefix = referer && end > 0 ? referer.pathname.slice(0, end) : '';
  // Without characters that could end the attribute.
  return /^(?:\/[\w.~%-]+)+$/.test(prefix) ? prefix : '/';
}

/** Whether the browser uses HTTPS. TLS may end at a proxy: pages send their origin with every unsafe request. */
function isHttps(url: string, header: Header): boolean {
  return (
    header('origin')?.startsWith('https://') === true ||
    header('x-forwarded-proto')?.split(',')[0]?.trim() === 'https' ||
    url.startsWith('https://')
  );
}
