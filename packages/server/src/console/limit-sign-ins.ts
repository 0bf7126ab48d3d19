import type { HttpRequest } from '../call.ts';
import type { ServerContext } from '../context.ts';
import { RequestError } from '../errors.ts';

/** Maximum number of sign-in attempts per minute for each address. */
const maxSignInsPerMinute = 60;

/** Counts an attempt to sign in. @throws a 429. */
export async function limitSignIns(
  request: Pick<HttpRequest, 'remoteAddress'>,
  { signInLimiter }: Pick<ServerContext, 'signInLimiter'>,
): Promise<void> {
  const address = request.remoteAddress?.() ?? 'unknown';
  const subject = { id: `sign-in:${address}`, requestsPerMinute: maxSignInsPerMinute, tokensPerMinute: null };
  const { retryAfterMs } = await signInLimiter.consume([subject]);
  if (retryAfterMs === 0) return;
  const seconds = Math.ceil(retryAfterMs / 1000);
  throw new RequestError(`Too many attempts to sign in from this address. Please try again in ${seconds} s.`, {
    status: 429,
    type: 'requests',
    code: 'rate_limit_exceeded',
    headers: { 'retry-after': String(seconds), 'retry-after-ms': String(retryAfterMs) },
  });
}
