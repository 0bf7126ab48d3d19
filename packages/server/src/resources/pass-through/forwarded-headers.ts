type Headers = Readonly<Record<string, string>>;

/** Hop-by-hop headers (RFC 9110, section 7.6.1), and those that the HTTP client sets itself. */
const hopByHop = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  ...['proxy-authenticate', 'proxy-authentication-info', 'proxy-authorization', 'http2-settings'],
]);

/**
 * Request headers that are not forwarded: credentials of this server, the origin of the client, and headers that concern only this server.
 * Uncompressed replies are requested, so that their usage can be read.
 */
const notForwarded = new Set([
  ...['authorization', 'x-api-key', 'api-key', 'x-goog-api-key', 'cookie', 'host', 'expect', 'accept-encoding'],
  ...['forwarded', 'via', 'x-real-ip', 'origin', 'referer', 'x-request-id', 'x-csrf-token'],
  // Some servers take the path or the method from these instead of those that were checked.
  ...['x-original-url', 'x-rewrite-url', 'x-http-method', 'x-http-method-override', 'x-method-override'],
]);
const notForwardedPrefix = /^(?:x-forwarded-|sec-|cf-|proxy-)/;

/** The headers of a request that are forwarded. A header that contains the client's key is not, whatever its name. */
export function requestHeaders(
  received: Iterable<readonly [string, string]>,
  ...credentials: readonly (string | null)[]
): Record<string, string> {
  const headers = new Map(received);
  const keys = credentials.map((value) => value?.replace(/^bearer\s+/i, '').trim() ?? '').filter((key) => key !== '');
  const connectionNames = namesIn(headers.get('connection'));
  const isForwarded = ([name, value]: readonly [string, string]): boolean =>
    !hopByHop.has(name) &&
    !connectionNames.has(name) &&
    !notForwarded.has(name) &&
    !notForwardedPrefix.test(name) &&
    !keys.some((key) => value.includes(key));
  return Object.fromEntries([...headers].filter(isForwarded));
}

/** Response headers that apply to the site of the upstream, not to this server. */
const upstreamSiteHeaders = new Set([
  ...['set-cookie', 'set-cookie2', 'strict-transport-security', 'alt-svc', 'server', 'date', 'via', 'x-request-id'],
  ...['content-security-policy', 'x-content-type-options', 'clear-site-data', 'service-worker-allowed', 'link', 'nel'],
  ...['report-to', 'reporting-endpoints', 'refresh', 'www-authenticate', 'x-powered-by', 'public-key-pins'],
]);
const upstreamSitePrefix = /^(?:access-control-|cross-origin-)/;

/** The headers of a reply that are passed on. */
export function replyHeaders(received: Headers): Record<string, string> {
  const connectionNames = namesIn(received['connection']);
  return Object.fromEntries(
    Object.entries(received).filter(
      ([name]) =>
        !hopByHop.has(name) &&
        !connectionNames.has(name) &&
        !upstreamSiteHeaders.has(name) &&
        !upstreamSitePrefix.test(name),
    ),
  );
}

/** Headers that `Connection` names are hop-by-hop, too. */
function namesIn(connection: string | undefined): ReadonlySet<string> {
  return new Set(connection?.split(',').map((name) => name.trim().toLowerCase()));
}
