import type { UsageReport } from '@modelwire/server/internal';

const columns = [
  'requests',
  'errors',
  'mean_duration_ms',
  'input_tokens',
  'cached_tokens',
  'output_tokens',
  'cost',
] as const;

/** The rows as CSV with a header (RFC 4180). @param name Header of the first column, which contains the IDs. */
export function usageToCsv(name: string, rows: UsageReport['by_project']): string {
  const lines = rows.map((row) => [quote(row.id), ...columns.map((column) => row[column] ?? '')].join(','));
  return `${[[name, ...columns].join(','), ...lines].join('\r\n')}\r\n`;
}

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
