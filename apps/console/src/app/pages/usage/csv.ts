import type { UsageReport } from '@modelwire/server/internal';

type Row = UsageReport['by_project'][number];

const columns = {
  requests: ({ requests }) => requests,
  errors: ({ errors }) => errors,
  duration_p50_ms: ({ duration_ms }) => duration_ms?.p50,
  duration_p95_ms: ({ duration_ms }) => duration_ms?.p95,
  first_token_p50_ms: ({ first_token_ms }) => first_token_ms?.p50,
  first_token_p95_ms: ({ first_token_ms }) => first_token_ms?.p95,
  input_tokens: ({ input_tokens }) => input_tokens,
  cached_tokens: ({ cached_tokens }) => cached_tokens,
  output_tokens: ({ output_tokens }) => output_tokens,
  cost: ({ cost }) => cost,
} as const satisfies Record<string, (row: Row) => number | undefined>;

/** The rows as CSV with a header (RFC 4180). @param name Header of the first column, which contains the IDs. */
export function usageToCsv(name: string, rows: readonly Row[]): string {
  const values = Object.values(columns);
  const lines = rows.map((row) => [quote(row.id), ...values.map((valueOf) => valueOf(row) ?? '')].join(','));
  return `${[[name, ...Object.keys(columns)].join(','), ...lines].join('\r\n')}\r\n`;
}

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
