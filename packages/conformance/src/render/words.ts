import type { CheckResult, ConformanceReport, EndpointScore, ReceivedResponse, SentRequest } from '../report.ts';

export const percent = (score: number | null): string => (score === null ? '–' : `${score} %`);

export const nameOf = ({ route }: EndpointScore): string => (route === '' ? 'All endpoints' : route);

const CERTAINTY = {
  sure: 'stated by the API specification',
  likely: 'required by official SDKs',
  opinion: 'a recommendation, not counted',
} as const;

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

const requestText = ({ method, path, body }: SentRequest): string =>
  `${method} ${path}${body === undefined ? '' : `\n\n${body}`}`;

function responseText({ status, contentType, requestId, body }: ReceivedResponse): string {
  const head = [`${status}`, contentType ?? 'no content-type', ...(requestId === null ? [] : [requestId])];
  return `${head.join(' · ')}\n\n${body}`;
}

/**
 * The outcome for a build: failed opinions and expected failures count as skipped, so that they do not fail it; an expected
 * failure that passes counts as failed.
 */
export function verdictOf({ outcome, certainty, expectedFailure }: CheckResult): CheckResult['outcome'] {
  if (expectedFailure !== undefined) return outcome === 'pass' ? 'fail' : 'skipped';
  return outcome === 'fail' && certainty === 'opinion' ? 'skipped' : outcome;
}

export function verdictReason({ outcome, reason = '', expectedFailure }: CheckResult): string {
  if (expectedFailure === undefined) return reason;
  return outcome === 'pass'
    ? 'It passes, but is expected to fail: remove it from the expected failures.'
    : `Expected failure${expectedFailure === '' ? '' : ` (${expectedFailure})`}: ${reason}`;
}

/** The scores of a report, each with what it is of. */
export const scoresOf = ({ score }: ConformanceReport): readonly (readonly [score: string, of: string])[] => [
  [percent(score.all), 'of all checks'],
  [percent(score.served), 'of served endpoints'],
  [percent(score.sure), 'of those by the API specification alone'],
];

interface FailureText {
  /** Where its rule is from, and how certain that is. */
  readonly source: string;
  readonly paragraphs: readonly string[];
  readonly exchange: readonly (readonly [label: string, text: string])[];
}

/** What there is to say about a failure, besides its title and reason. */
export function failureText(result: CheckResult): FailureText {
  const { sent, response, title, expectation = title, fix, certainty, requirement, since } = result;
  const rule = since === null ? requirement : `${requirement}, since ${since}`;
  return {
    source: `${sectionOf(result)} · ${certainty}: ${CERTAINTY[certainty]} · ${rule}`,
    paragraphs: [
      ...(expectation === title ? [] : [`Expected: ${expectation}`]),
      ...(fix === undefined ? [] : [`Fix: ${fix}`]),
    ],
    exchange: [
      ...(sent ? [['Request', requestText(sent)] as const] : []),
      ...(response ? [['Response', responseText(response)] as const] : []),
    ],
  };
}
