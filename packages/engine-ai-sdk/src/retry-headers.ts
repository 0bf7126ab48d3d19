import type { ErrorBody } from './error-body.ts';

const day = 86_400;

/** The headers with the time of a retry: from the response of the provider or its error body. Delays of more than a day are omitted. */
export function retryHeaders(
  headers: Readonly<Record<string, string | undefined>>,
  body: ErrorBody | undefined,
): Readonly<Record<string, string>> {
  const passed: Record<string, string> = {};
  const seconds = headers['retry-after'];
  if (seconds !== undefined && isRetryAfter(seconds)) passed['retry-after'] = seconds;
  else if (body?.retryAfter !== undefined && body.retryAfter <= day) passed['retry-after'] = String(body.retryAfter);
  const milliseconds = headers['retry-after-ms'];
  if (milliseconds !== undefined && /^\d{1,8}$/.test(milliseconds) && Number(milliseconds) <= day * 1000) {
    passed['retry-after-ms'] = milliseconds;
  }
  const shouldRetry = body?.isFinal ? 'false' : headers['x-should-retry'];
  if (shouldRetry === 'true' || shouldRetry === 'false') passed['x-should-retry'] = shouldRetry;
  return passed;
}

/** Digits, or an HTTP date. */
function isRetryAfter(value: string): boolean {
  if (/^\d{1,5}$/.test(value)) return Number(value) <= day;
  return /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/.test(value) && Date.parse(value) <= Date.now() + day * 1000;
}
