import type { CheckResult, ConformanceReport, UnexpectedResults } from './report.ts';

/** IDs of checks that a server is known to fail, each with the reason, which can be empty. */
export type ExpectedFailures = ReadonlyMap<string, string>;

/** Reads a file with the ID of a check per line and an optional reason after `#`. Other lines are empty or comments. */
export function parseExpectedFailures(text: string): ExpectedFailures {
  const expected = new Map<string, string>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const [id = ''] = line.split('#').map((part) => part.trim());
    if (id === '') continue;
    if (/\s/.test(id)) {
      throw new TypeError(`expectedFailures: line ${index + 1} is not one ID; write a reason as '<id> # reason'`);
    }
    expected.set(id, line.includes('#') ? line.slice(line.indexOf('#') + 1).trim() : '');
  }
  return expected;
}

const HEADER = `# Checks that this server is known to fail: an ID and, after #, the reason. A run fails if the results change.
`;

/**
 * The file of the failures of a report. Reasons of the previous file stay, as do its checks that have not passed in this run,
 * such as those that were not selected.
 */
export function renderExpectedFailures(report: ConformanceReport, previous: ExpectedFailures = new Map()): string {
  const passed = new Set(report.results.flatMap(({ id, outcome }) => (outcome === 'pass' ? id : [])));
  const kept = [...previous].filter(([id]) => !passed.has(id));
  const failed = report.results.filter(isFailure).map(({ id, reason = '' }) => [id, firstLine(reason)] as const);
  const lines = [...new Map([...failed, ...kept])].map(([id, reason]) => (reason === '' ? id : `${id} # ${reason}`));
  return [HEADER, ...lines.toSorted().map((line) => `${line}\n`)].join('');
}

export function unexpectedResults(results: readonly CheckResult[]): UnexpectedResults {
  return {
    failures: results.filter((one) => isFailure(one) && one.expectedFailure === undefined).map(({ id }) => id),
    passes: results
      .filter(({ outcome, expectedFailure }) => outcome === 'pass' && expectedFailure !== undefined)
      .map(({ id }) => id),
  };
}

const isFailure = ({ outcome }: CheckResult): boolean => outcome === 'fail' || outcome === 'error';

const firstLine = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 100);
