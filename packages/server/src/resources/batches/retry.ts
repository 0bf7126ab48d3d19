import type { RequestError } from '../../errors.ts';
import { BudgetExceeded } from '../../limits/budgets.ts';

const maxDelayMs = 60_000;
/** Attempts of a line after which a server error is final. */
const maxServerErrors = 3;
/** Retried until the window of the batch ends. */
const unlimitedRetryStatuses: ReadonlySet<number> = new Set([429, 503, 507]);
const serverErrorStatuses: ReadonlySet<number> = new Set([408, 500, 502, 504]);
/** Codes of errors that are never retried, whatever their status. */
const finalCodes: ReadonlySet<string> = new Set([
  'insufficient_quota',
  'invalid_output',
  'upstream_authentication_failed',
]);

/**
 * Milliseconds before a line is retried; undefined when its result is final. An engine without capacity (429, 503) or a server without
 * space (507) is retried until the window of the batch ends, other server errors twice. Errors of the line itself are never retried.
 */
export function retryAfterMs(
  error: RequestError | undefined,
  attempt: number,
  baseMs: number,
  { pausesOverBudget = false }: { readonly pausesOverBudget?: boolean } = {},
): number | undefined {
  if (!error) return undefined;
  if (error.cause instanceof BudgetExceeded) {
    // A budget that is reserved by running requests becomes free again; one that is spent may be raised or reset at any time.
    const isTemporary = error.headers['x-should-retry'] !== 'false';
    return isTemporary || pausesOverBudget ? backoffMs(attempt, baseMs) : undefined;
  }
  const { status, code, headers } = error;
  if (finalCodes.has(code) || headers['x-should-retry'] === 'false') return undefined;
  if (!unlimitedRetryStatuses.has(status) && !(serverErrorStatuses.has(status) && attempt < maxServerErrors))
    return undefined;
  return Math.max(backoffMs(attempt, baseMs), requestedDelayMs(headers));
}

function backoffMs(attempt: number, baseMs: number): number {
  return Math.min(maxDelayMs, baseMs * 2 ** Math.min(attempt - 1, 20)) * (0.75 + Math.random() / 4);
}

/** The delay that the engine requested, in milliseconds, in seconds or as a date. */
function requestedDelayMs(headers: Readonly<Record<string, string>>): number {
  const ms = Number(headers['retry-after-ms'] ?? NaN);
  if (ms >= 0) return ms;
  const text = headers['retry-after'] ?? '';
  const seconds = Number(text === '' ? NaN : text);
  const wait = seconds >= 0 ? seconds * 1000 : Date.parse(text) - Date.now();
  return wait >= 0 ? wait : 0;
}
