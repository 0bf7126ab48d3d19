import { RequestError } from '@modelwire/ports';
import { providerName } from './provider-profile.ts';

const timeouts: ReadonlySet<unknown> = new Set([
  'ETIMEDOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
]);
const outages: ReadonlySet<unknown> = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'UND_ERR_SOCKET',
]);

/** The failure of a connection, by the code of an error or of one of its causes; undefined for other errors. */
export function networkFailure(error: unknown, provider: string): RequestError | undefined {
  const code = networkCode(error);
  if (code === undefined) return undefined;
  const name = providerName(provider);
  const cause = new Error(`${provider}: ${code}`);
  if (timeouts.has(code)) {
    const message = `The provider '${name}' did not respond in time.`;
    return new RequestError(message, { status: 504, code: 'upstream_timeout', cause });
  }
  const message = `The provider '${name}' is unreachable (${code}). Please retry later.`;
  return new RequestError(message, {
    status: 503,
    code: 'upstream_unavailable',
    headers: { 'retry-after': '1' },
    cause,
  });
}

function networkCode(error: unknown): string | undefined {
  const seen = new Set<unknown>();
  for (let current = error; current instanceof Error && !seen.has(current); current = current.cause) {
    seen.add(current);
    const found: unknown = 'code' in current ? current.code : undefined;
    if (typeof found === 'string' && (timeouts.has(found) || outages.has(found))) return found;
  }
  return undefined;
}
