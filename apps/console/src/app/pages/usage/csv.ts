import type { UsageDay } from '../../api/usage.ts';

const columns = [
  'date',
  'requests',
  'errors',
  'mean_duration_ms',
  'input_tokens',
  'cached_tokens',
  'output_tokens',
] as const;

/** The days as CSV with a header, as RFC 4180 defines it. Values are dates and numbers, which need no quotes. */
export function usageToCsv(days: readonly UsageDay[]): string {
  const lines = days.map((day) => columns.map((column) => day[column] ?? '').join(','));
  return `${[columns.join(','), ...lines].join('\r\n')}\r\n`;
}
