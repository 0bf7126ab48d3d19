import type { CheckResult, ConformanceReport } from '../index.ts';

/** The IDs of the checks with this outcome. */
export function idsOf({ results }: ConformanceReport, outcome: CheckResult['outcome']): readonly string[] {
  return results.filter((result) => result.outcome === outcome).map(({ id }) => id);
}
