import { check } from '../check.ts';
import type { Check, CheckInit } from '../check.ts';
import type { CompleteResponse } from '../exchange/response.ts';
import { isSuccess } from '../exchange/response.ts';
import { numberAt } from '../exchange/value.ts';
import type { RunContext } from '../context/run-context.ts';
import { assertConforms, Skip } from '../verdict.ts';
import { chatCall } from './chat/send.ts';

type LimitKind = 'requests' | 'tokens';

/** What the headers of a response say about a limit. */
interface StatedLimit {
  readonly limit: number;
  readonly remaining: number;
  /** Zero if it is not stated in a known form. */
  readonly resetMs: number;
}

/** The requests of a race: a higher limit cannot be reached by so many. */
const MAX_REQUESTS = 100;
const SEQUENTIAL_REQUESTS = 5;
/** Of the prompts in a race for tokens. */
const PROMPT_WORDS = 300;
const REFILLED = 'the limit is refilled faster than these requests use it up';

/** A request for one token. Its 429 is the answer, so that it is not repeated. */
async function sendOne(context: RunContext, words = 1): Promise<CompleteResponse> {
  const messages = [{ role: 'user', content: 'river '.repeat(words) }];
  return context.send({ ...(await chatCall(context, { messages, max_completion_tokens: 1 })), maxRetries: 0 });
}

/** @throws a `Skip` for a server that states no limit. */
function statedLimit({ headers }: CompleteResponse, kind: LimitKind): StatedLimit {
  const valueOf = (what: string): number => Number(headers.get(`x-ratelimit-${what}-${kind}`) ?? NaN);
  const [limit, remaining] = [valueOf('limit'), valueOf('remaining')];
  if (Number.isNaN(limit) || Number.isNaN(remaining)) throw new Skip(`no header states a limit of ${kind}`);
  return { limit, remaining, resetMs: durationMs(headers.get(`x-ratelimit-reset-${kind}`) ?? '') };
}

/** A duration such as `1s`, `6m0s`, `20ms`, or a number of seconds. */
function durationMs(text: string): number {
  if (/^[\d.]+$/.test(text)) return Number(text) * 1000;
  const units: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };
  const parts = [...text.matchAll(/([\d.]+)(ms|[hms])/g)];
  return parts.reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (units[unit] ?? 0), 0);
}

/** What a limit allows from a moment on, besides what is left then: some limits are refilled all the time, others at the end of a window. */
function startClock(): (stated: StatedLimit) => { readonly refill: number; readonly isNextWindow: boolean } {
  const startedAt = performance.now();
  return ({ limit, resetMs }) => {
    const elapsedMs = performance.now() - startedAt;
    return { refill: Math.ceil((limit * elapsedMs) / 60_000), isNextWindow: elapsedMs >= resetMs };
  };
}

/** Throws a `Violation` for more than is allowed, and a `Skip` where that may be because a window ended. */
function assertAtMost(
  response: CompleteResponse,
  { used, allowed, isNextWindow }: { readonly used: number; readonly allowed: number; readonly isNextWindow: boolean },
  what: string,
): void {
  if (used > allowed && isNextWindow) throw new Skip('a window of the limit ended meanwhile');
  assertConforms(response, used <= allowed, `${used} ${what}, and the headers allowed ${allowed}.`);
}

/** The responses of concurrent requests. @throws a `Skip` if they cannot reach the limit. */
async function race(context: RunContext, count: number, words = 1): Promise<readonly CompleteResponse[]> {
  if (count > MAX_REQUESTS) throw new Skip(`the limit needs more than ${MAX_REQUESTS} requests to be reached`);
  return Promise.all(Array.from({ length: count }, () => sendOne(context, words)));
}

const rateLimit = (name: string, init: Omit<CheckInit, 'section' | 'certainty' | 'needs' | 'phase'>): Check =>
  check('http', `rate-limit.${name}`, {
    section: 'companion',
    certainty: 'likely',
    needs: ['chat.completions.create'],
    phase: 'alone',
    ...init,
  });

/** Rate limits are what their headers say, also for concurrent requests. */
export const rateLimitChecks: readonly Check[] = [
  rateLimit('falls', {
    title: 'x-ratelimit-remaining-requests falls with each request of a window',
    weight: 1,
    async run(context) {
      const since = startClock();
      const first = statedLimit(await sendOne(context), 'requests');
      for (let sent = 1; sent < SEQUENTIAL_REQUESTS; sent++) {
        const response = await sendOne(context);
        const { refill, isNextWindow } = since(first);
        const allowed = Math.max(0, first.remaining - sent) + refill;
        const { remaining } = statedLimit(response, 'requests');
        assertAtMost(response, { used: remaining, allowed, isNextWindow }, `requests remain after ${sent} more`);
      }
      if (since(first).refill >= SEQUENTIAL_REQUESTS - 1) throw new Skip(REFILLED);
    },
  }),
  rateLimit('requests', {
    title: 'Of concurrent requests, no more are served than x-ratelimit-remaining-requests said',
    destructive: true,
    async run(context) {
      const since = startClock();
      const first = await sendOne(context);
      const stated = statedLimit(first, 'requests');
      const responses = await race(context, stated.remaining + 10);
      const { refill, isNextWindow } = since(stated);
      const used = responses.filter(isSuccess).length;
      const allowed = stated.remaining + refill;
      assertAtMost(first, { used, allowed, isNextWindow }, 'concurrent requests were served');
      if (used === responses.length) throw new Skip(REFILLED);
    },
  }),
  rateLimit('tokens', {
    title: 'Concurrent requests use no more tokens than x-ratelimit-limit-tokens, except for the last one',
    destructive: true,
    async run(context) {
      const since = startClock();
      const first = await sendOne(context, PROMPT_WORDS);
      const stated = statedLimit(first, 'tokens');
      const tokensOf = ({ json }: CompleteResponse): number => numberAt(json, 'usage', 'total_tokens') ?? 0;
      const each = tokensOf(first);
      if (each === 0) throw new Skip('a prompt of ordinary length was not admitted, or its tokens are not known');
      const responses = await race(context, Math.ceil((2 * stated.limit) / each), PROMPT_WORDS);
      const { refill, isNextWindow } = since(stated);
      const used = responses.reduce((sum, response) => sum + tokensOf(response), each);
      const allowed = stated.limit + each + refill;
      assertAtMost(first, { used, allowed, isNextWindow }, 'tokens were used');
    },
  }),
];
