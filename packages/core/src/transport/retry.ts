const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8000;

/** Exponential backoff with full jitter: a random delay of up to 0.5 s, doubled with each failed attempt, 8 s at most. */
export function backoff(attempt: number): number {
  return Math.random() * Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt);
}

/** Whether a request with this response may be retried; `x-should-retry` takes precedence over the status. */
export function isRetryable({ status, headers }: { readonly status: number; readonly headers: Headers }): boolean {
  const shouldRetry = headers.get('x-should-retry');
  if (shouldRetry === 'true' || shouldRetry === 'false') return shouldRetry === 'true';
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

/** The delay that the server requests: `retry-after-ms`, or `retry-after` in seconds or as a date. */
export function retryAfterMs(headers: Headers): number | undefined {
  const text = headers.get('retry-after') ?? '';
  const seconds = parseDelay(text);
  // Only dates start with a letter; Date.parse also accepts values such as '-5'.
  const date = /^[a-z]/i.test(text) ? Date.parse(text) : NaN;
  return (
    parseDelay(headers.get('retry-after-ms') ?? '') ??
    (seconds === undefined ? undefined : seconds * 1000) ??
    (Number.isNaN(date) ? undefined : Math.max(0, date - Date.now()))
  );
}

function parseDelay(text: string): number | undefined {
  return text !== '' && Number(text) >= 0 ? Number(text) : undefined;
}
