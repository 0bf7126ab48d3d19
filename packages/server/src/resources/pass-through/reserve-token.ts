import type { TokenReservation } from '@modelwire/ports';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { rateLimitHeaders, rateLimited, rateSubjectsOf } from '../../limits/rate-limit.ts';

/**
 * Admits a request whose tokens are known only from the reply: one token is reserved, the rest is charged at the end. Resolves to the
 * number reserved.
 *
 * @throws a 429 when the key has no tokens left.
 */
export async function reserveToken(
  { principal, responseHeaders }: Pick<Call, 'principal' | 'responseHeaders'>,
  { options: { rateLimiter } }: ServerContext,
): Promise<number> {
  const subjects = rateSubjectsOf(principal);
  if (!rateLimiter?.limitsTokens(subjects)) return 0;
  const reservation: TokenReservation = await rateLimiter.reserve(subjects, { required: 1, max: 1 });
  const { tokens, retryAfterMs, reserved } = reservation;
  Object.assign(responseHeaders, rateLimitHeaders({ retryAfterMs: 0, ...(tokens && { tokens }) }));
  if (retryAfterMs > 0) throw rateLimited(reservation);
  return reserved;
}
