import type { RequestError } from '../../errors.ts';
import { BudgetExceeded } from '../../limits/budgets.ts';

const longestMs = 60_000;
/** An engine that breaks at the same request again and again will do so tomorrow. */
const maxBroken = 3;
/** Until there is time or room. */
const busy: ReadonlySet<number> = new Set([429, 503, 507]);
const broken: ReadonlySet<number> = new Set([408, 500, 502, 504]);
/** Errors of these kinds that stand: nothing is left, nothing that fits came in all the attempts there are, or nobody may ask. */
const final: ReadonlySet<string> = new Set(['insufficient_quota', 'invalid_output', 'upstream_authentication_failed']);

/**
 * Milliseconds before a line is asked again; undefined when its answer stands. An engine that has no time (429, 503), or a server that has
 * no space (507), is asked until the batch's window ends, one that breaks three times. What is wrong with the line stays wrong.
 */
export function retryAfterMs(
  error: RequestError | undefined,
  tries: number,
  baseMs: number,
  { pausesOverBudget = false }: { readonly pausesOverBudget?: boolean } = {},
): number | undefined {
  if (!error) return undefined;
  if (error.cause instanceof BudgetExceeded) {
    // A budget that running requests hold will be free again; one that is spent may be raised or reset at any time.
    const isTemporary = error.headers['x-should-retry'] !== 'false';
    return isTemporary || pausesOverBudget ? backoffOf(tries, baseMs) : undefined;
  }
  const { status, code, headers } = error;
  if (final.has(code) || headers['x-should-retry'] === 'false') return undefined;
  if (!busy.has(status) && !(broken.has(status) && tries < maxBroken)) return undefined;
  return Math.max(backoffOf(tries, baseMs), asked(headers));
}

function backoffOf(tries: number, baseMs: number): number {
  return Math.min(longestMs, baseMs * 2 ** Math.min(tries - 1, 20)) * (0.75 + Math.random() / 4);
}

/** What the engine asked for: milliseconds, seconds, or a date. */
function asked(headers: Readonly<Record<string, string>>): number {
  const ms = Number(headers['retry-after-ms'] ?? NaN);
  if (ms >= 0) return ms;
  const text = headers['retry-after'] ?? '';
  const seconds = Number(text === '' ? NaN : text);
  const wait = seconds >= 0 ? seconds * 1000 : Date.parse(text) - Date.now();
  return wait >= 0 ? wait : 0;
}
