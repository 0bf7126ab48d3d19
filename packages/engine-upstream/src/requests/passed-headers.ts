import type { ReplyHeaders } from '../exchange.ts';

const daySeconds = 86_400;
const dayMs = daySeconds * 1000;

/** Digits, or an HTTP date. */
function isRetryAfter(value: string): boolean {
  if (/^\d{1,5}$/.test(value)) return Number(value) <= daySeconds;
  return /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/.test(value) && Date.parse(value) <= Date.now() + dayMs;
}

/** Counts, durations (`6m0s`, `120ms`) and times. */
const limitValue = /^-?\d[\d.:+TZdhmsnuµ-]{0,39}$/;
const limitName = /^x-ratelimit-[\w-]{1,60}$/;

function isPassedOn(name: string, value: string): boolean {
  switch (name) {
    case 'retry-after':
      return isRetryAfter(value);
    case 'retry-after-ms':
      return /^\d{1,8}$/.test(value) && Number(value) <= dayMs;
    case 'x-should-retry':
      return value === 'true' || value === 'false';
    default:
      return limitName.test(name) && limitValue.test(value);
  }
}

/**
 * The headers about retries and rate limits (companions of the API: Headers) if they are valid: delays of up to a day, short counts and
 * times. Other headers are not passed on.
 */
export function passedHeaders(headers: ReplyHeaders): Readonly<Record<string, string>> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' && isPassedOn(name, value)) passed[name] = value;
  }
  return passed;
}
