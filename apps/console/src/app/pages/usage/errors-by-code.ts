import type { RecentErrorList } from '@modelwire/server/internal';

export interface ErrorCode {
  readonly code: string;
  readonly status: number;
  readonly count: number;
}

/** The number of errors for each code, most frequent first. */
export function errorsByCode(
  errors: readonly Pick<RecentErrorList['errors'][number], 'code' | 'status'>[],
): readonly ErrorCode[] {
  const counts = new Map<string, ErrorCode>();
  for (const { code, status } of errors) {
    counts.set(code, { code, status, count: (counts.get(code)?.count ?? 0) + 1 });
  }
  return [...counts.values()].toSorted((a, b) => b.count - a.count);
}
