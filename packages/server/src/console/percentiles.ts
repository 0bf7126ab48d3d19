import type { DurationCounts } from '../limits/duration-counts.ts';
import type { Percentiles } from './api-types.ts';

export function percentilesOf(durations: DurationCounts): Percentiles | null {
  const [p50, p95] = [durations.percentile(0.5), durations.percentile(0.95)];
  return p50 === undefined || p95 === undefined ? null : { p50, p95 };
}
