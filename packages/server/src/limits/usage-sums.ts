import { addCounts } from '@modelwire/adapter-kit/internal';
import type { DailyKey, DurationCount, RequestStats, UsageIncrement } from '@modelwire/ports';

/** Counts of requests and of what they used. A row may have some of them. */
export type UsageCounts = Omit<UsageIncrement & RequestStats, keyof DailyKey>;

type Counts = UsageCounts & Pick<DurationCount, 'firstTokens'>;

const countNames = [
  'requests',
  'errors',
  'firstTokens',
  'inputTokens',
  'outputTokens',
  'cachedTokens',
  'costMicros',
] as const satisfies readonly (keyof Counts)[];

/** The first row with the counts of both. */
export function addRows<Row extends Partial<Counts>>(a: Row, b: Row): Row {
  const sums: Partial<Record<keyof Counts, number>> = {};
  for (const name of countNames) if (a[name] !== undefined) sums[name] = addCounts(a[name], b[name] ?? 0);
  return { ...a, ...sums };
}

/** The sum of the rows of each group, in the order of their first rows. */
export function sumBy<Row extends Partial<UsageCounts>, Group>(rows: readonly Row[], groupOf: (row: Row) => Group) {
  const sums = new Map<string, { readonly group: Group; readonly sum: Row }>();
  for (const row of rows) {
    const group = groupOf(row);
    const name = JSON.stringify(group);
    const previous = sums.get(name);
    sums.set(name, { group, sum: previous ? addRows(previous.sum, row) : row });
  }
  return [...sums.values()];
}
