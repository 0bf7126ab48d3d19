import type { CheckResult, ConformanceReport, EndpointScore } from '../report.ts';

export const percent = (score: number | null): string => (score === null ? '–' : `${score} %`);

export const nameOf = ({ route }: EndpointScore): string => (route === '' ? 'All endpoints' : route);

export const CERTAINTY = {
  sure: 'stated by the API specification',
  likely: 'required by official SDKs',
  opinion: 'a recommendation, not counted',
} as const;

export const UNEXPECTED_PASS = 'It passes, but is expected to fail: remove it from the expected failures.';

/** Checks that did not pass, by certainty and weight. */
export function failuresOf({ results }: ConformanceReport): readonly CheckResult[] {
  const rank = { sure: 0, likely: 1, opinion: 2 } as const;
  return results
    .filter(({ outcome }) => outcome === 'fail' || outcome === 'error')
    .toSorted((a, b) => rank[a.certainty] - rank[b.certainty] || b.weight - a.weight);
}

export const sectionOf = ({ section }: Pick<CheckResult, 'section'>): string =>
  section === 'companion' ? 'not in the API specification' : `API: ${section}`;

export function summaryOf({ counts: { pass, fail, error, skipped }, requests, durationMs }: ConformanceReport): string {
  const seconds = (durationMs / 1000).toFixed(1);
  return `${pass} passed, ${fail} failed, ${error} undecided, ${skipped} skipped; ${requests} requests in ${seconds} s`;
}
