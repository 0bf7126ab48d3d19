import { RequestError } from '../errors.ts';

type Header = (name: string) => string | null;

/**
 * Refuses requests that a page of another origin makes with the session of this browser. Browsers say where a request comes from in
 * `Sec-Fetch-Site`, but only to HTTPS and local addresses; elsewhere `Origin` has to name the host of the request.
 *
 * @throws a 403 for a request of another site or origin.
 */
export function assertSameOrigin({ url, header }: { readonly url: string; readonly header: Header }): void {
  const site = header('sec-fetch-site');
  const origin = header('origin');
  // `none`: the user opened the address.
  const isSame =
    site === null ? origin === null || isOwnOrigin(origin, url, header) : site === 'same-origin' || site === 'none';
  if (isSame) return;
  throw new RequestError(
    'A page of another origin cannot use the session of the console. Open the console itself, or send an API key. Behind a reverse proxy, forward the Host header.',
    { status: 403, code: 'cross_site_request' },
  );
}

function isOwnOrigin(origin: string, url: string, header: Header): boolean {
  const host = URL.parse(origin)?.host;
  return host !== undefined && [header('host'), header('x-forwarded-host'), URL.parse(url)?.host].includes(host);
}
