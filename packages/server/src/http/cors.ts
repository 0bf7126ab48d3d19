import type { Cors } from '../context.ts';
import type { CorsOptions } from '../options/types.ts';

type Headers = Readonly<Record<string, string>>;

const allowedMethods = 'GET, HEAD, POST, DELETE';

/** Sent where a preflight names no headers. */
const defaultAllowedHeaders = 'authorization, content-type, idempotency-key';

/** Response headers that scripts may read, in addition to the CORS-safelisted ones. */
const exposedHeaders = [
  'x-request-id',
  'openai-processing-ms',
  ...['requests', 'tokens'].flatMap((of) => ['limit', 'remaining', 'reset'].map((what) => `x-ratelimit-${what}-${of}`)),
  'retry-after',
  'retry-after-ms',
  'x-should-retry',
  'idempotent-replayed',
  'x-modelwire-flagged',
  'x-modelwire-unjudged-categories',
  'x-modelwire-upstream',
  'x-modelwire-attempts',
  'content-disposition',
  'content-range',
  'accept-ranges',
  'etag',
].join(', ');

/** @throws TypeError for an origin that no browser would send. */
export function createCors({ origins }: CorsOptions): Cors {
  for (const origin of origins) {
    if (!isOrigin(origin)) {
      throw new TypeError(
        `cors.origins: '${origin}' is not an origin. Write scheme, host and port as browsers send them, such as https://app.example.com, or '*'.`,
      );
    }
  }
  const allowedOrigins = new Set(origins);
  const allowsAllOrigins = allowedOrigins.has('*');

  function allowOrigin(origin: string | null): Headers {
    if (allowsAllOrigins) return { 'access-control-allow-origin': '*' };
    // Always sent, so that caches do not use the response for one origin for another.
    const vary = { vary: 'Origin' };
    return origin !== null && allowedOrigins.has(origin) ? { 'access-control-allow-origin': origin, ...vary } : vary;
  }
  return {
    headersFor: (origin) => ({ ...allowOrigin(origin), 'access-control-expose-headers': exposedHeaders }),
    preflightHeaders({ method, header }) {
      const origin = header('origin');
      if (method !== 'OPTIONS' || origin === null || header('access-control-request-method') === null) return undefined;
      if (!allowsAllOrigins && !allowedOrigins.has(origin)) return undefined;
      return {
        ...allowOrigin(origin),
        'access-control-allow-methods': allowedMethods,
        'access-control-allow-headers': allowedHeaders(header('access-control-request-headers')),
        'access-control-max-age': '7200',
        'x-content-type-options': 'nosniff',
        vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
      };
    },
  };
}

/** Allows the requested headers: SDKs send a dozen of their own. Only valid names, and no more than a browser would send. */
function allowedHeaders(requested: string | null): string {
  if (requested === null || requested.length > 4096) return defaultAllowedHeaders;
  const names = requested.split(',').map((name) => name.trim());
  return names.every((name) => /^[\w!#$%&'*+.^`|~-]{1,128}$/.test(name)) ? names.join(', ') : defaultAllowedHeaders;
}

/** `*`, or an origin as browsers write it: no path, no default port, the host in ASCII and lower case. */
function isOrigin(text: string): boolean {
  return text === '*' || (/^[a-z][a-z0-9+.-]*:\/\//.test(text) && originOf(text) === text);
}

function originOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, host, origin } = new URL(text);
  // `origin` is 'null' for other schemes, such as those of browser extensions and apps (`tauri://localhost`).
  return origin === 'null' ? `${protocol}//${host}` : origin;
}
