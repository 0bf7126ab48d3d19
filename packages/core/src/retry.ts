const FIRST_DELAY = 500;
const LONGEST_DELAY = 8000;

/** Full jitter: a random wait between 0 and a bound that doubles with each failed attempt. */
export function backoff(attempt: number): number {
  return Math.random() * Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** attempt);
}

/** Whether the server's answer may be asked for again; `x-should-retry` has the last word. */
export function isRetryable({ status, headers }: { readonly status: number; readonly headers: Headers }): boolean {
  const wish = headers.get('x-should-retry');
  if (wish === 'true' || wish === 'false') return wish === 'true';
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

/** The wait in milliseconds the server asks for: `retry-after-ms`, or `retry-after` in seconds or as a date. */
export function retryAfter(headers: Headers): number | undefined {
  const text = headers.get('retry-after') ?? '';
  const seconds = amount(text);
  // Only dates begin with a letter, and Date.parse also reads what is none ('-5').
  const date = /^[a-z]/i.test(text) ? Date.parse(text) : NaN;
  return (
    amount(headers.get('retry-after-ms') ?? '') ??
    (seconds === undefined ? undefined : seconds * 1000) ??
    (Number.isNaN(date) ? undefined : Math.max(0, date - Date.now()))
  );
}

function amount(text: string): number | undefined {
  return text !== '' && Number(text) >= 0 ? Number(text) : undefined;
}
