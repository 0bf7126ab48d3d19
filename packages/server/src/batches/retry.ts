import type { RequestError } from '../errors.ts';

const longestMs = 60_000;
/** An engine that breaks at the same request again and again will do so tomorrow. */
const maxBroken = 3;

/**
 * Milliseconds before a line is asked again; undefined when its answer stands. An engine that says 429 or 503 is asked until the
 * batch's window ends, one that breaks a few times. What is wrong with the line stays wrong.
 */
export function retryAfterMs(error: RequestError | undefined, tries: number, baseMs: number): number | undefined {
  if (!error) return undefined;
  const { status, code, headers } = error;
  const busy = status === 503 || (status === 429 && code !== 'insufficient_quota');
  if (!busy && (status < 500 || tries >= maxBroken)) return undefined;
  const backoff = Math.min(longestMs, baseMs * 2 ** Math.min(tries - 1, 20)) * (0.75 + Math.random() / 4);
  return Math.max(backoff, asked(headers));
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
