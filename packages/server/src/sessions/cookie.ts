import { sessionMaxSeconds } from './sessions.ts';

/** The cookie that contains the token of a session. */
const sessionCookie = 'modelwire_session';

type Header = (name: string) => string | null;

/** The token that a request sends as its cookie; undefined without one. Of several cookies of this name, the first counts. */
export function sessionTokenOf(header: Header): string | undefined {
  for (const pair of header('cookie')?.split(';') ?? []) {
    const separator = pair.indexOf('=');
    if (separator !== -1 && pair.slice(0, separator).trim() === sessionCookie) return pair.slice(separator + 1).trim();
  }
  return undefined;
}

/** `Set-Cookie` for a new session: not readable by scripts, and never sent by pages of other sites. */
export function setSessionCookie(token: string, request: { readonly url: string; readonly header: Header }): string {
  return cookie(token, sessionMaxSeconds, request);
}

/** `Set-Cookie` that removes the cookie. */
export function clearSessionCookie(request: { readonly url: string; readonly header: Header }): string {
  return cookie('', 0, request);
}

function cookie(
  value: string,
  maxAgeSeconds: number,
  { url, header }: { readonly url: string; readonly header: Header },
): string {
  const attributes = [
    `${sessionCookie}=${value}`,
    `Max-Age=${maxAgeSeconds}`,
    `Path=${pathPrefix(header)}`,
    'HttpOnly',
    'SameSite=Strict',
  ];
  return (isHttps(url, header) ? [...attributes, 'Secure'] : attributes).join('; ');
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
