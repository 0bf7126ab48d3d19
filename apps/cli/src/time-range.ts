import { usageError } from './cli-error.ts';
import type { Flags, Values } from './command.ts';

/** Options of lists that are filtered by time of creation. */
export const timeRangeFlags = {
  since: {
    type: 'string',
    value: 'time',
    description: 'Only items created from this time on, such as 2026-11-23, 2026-11-23T09:30:00Z or Unix seconds',
  },
  until: { type: 'string', value: 'time', description: 'Only items created before this time' },
} as const satisfies Flags;

/** Query fields of a time range: `start_time` (inclusive) and `end_time` (exclusive). */
export function timeRangeQuery({ since, until }: Values<typeof timeRangeFlags>) {
  return {
    ...(since !== undefined && { start_time: unixSeconds('--since', since) }),
    ...(until !== undefined && { end_time: unixSeconds('--until', until) }),
  };
}

/** Parses Unix seconds, an ISO 8601 date (UTC), or an ISO 8601 date and time (local time unless it has an offset). */
function unixSeconds(flag: string, text: string): number {
  if (/^\d{1,12}$/.test(text)) return Number(text);
  const milliseconds = /^\d{4}-\d\d-\d\d(?:[T ]|$)/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(milliseconds) || milliseconds < 0) {
    throw usageError(
      `Invalid value "${text}" for ${flag}: expected a date such as 2026-11-23, a time such as 2026-11-23T09:30:00Z, or Unix seconds.`,
    );
  }
  return Math.floor(milliseconds / 1000);
}
