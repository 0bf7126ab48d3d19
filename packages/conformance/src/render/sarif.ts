import type { Log, ReportingDescriptor, Result } from 'sarif';
import type { CheckResult, ConformanceReport } from '../report.ts';
import { sectionOf, verdictOf, verdictReason } from './words.ts';

const LEVELS = { sure: 'error', likely: 'warning', opinion: 'note' } as const;

/** SARIF 2.1.0 with a result for each failure. Expected failures are suppressed; an expected failure that passes is a result. */
export function renderSarif(report: ConformanceReport): string {
  const shown = report.results.filter((result) => verdictOf(result) === 'fail' || hasFailed(result));
  const log: Log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: '@modelwire/conformance',
            informationUri: 'https://github.com/modelwire/modelwire/tree/main/packages/conformance',
            rules: shown.map(ruleOf),
          },
        },
        invocations: [{ executionSuccessful: report.complete, startTimeUtc: report.startedAt }],
        results: shown.map((result, ruleIndex) => resultOf(report, result, ruleIndex)),
        properties: { score: report.score },
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

const hasFailed = ({ outcome }: CheckResult): boolean => outcome === 'fail' || outcome === 'error';

function ruleOf(result: CheckResult): ReportingDescriptor {
  const { id, title, expectation, fix, certainty, requirement, since } = result;
  return {
    id,
    shortDescription: { text: title },
    fullDescription: { text: `${expectation ?? title} (${sectionOf(result)})` },
    ...(fix !== undefined && { help: { text: fix } }),
    defaultConfiguration: { level: LEVELS[certainty] },
    properties: { requirement, since },
  };
}

function resultOf({ endpoints, baseURL }: ConformanceReport, result: CheckResult, ruleIndex: number): Result {
  const { id, endpoint, certainty, sent, response, expectedFailure } = result;
  const route = endpoints.find((one) => one.id === endpoint)?.route ?? '';
  return {
    ruleId: id,
    ruleIndex,
    level: LEVELS[certainty],
    message: { text: hasFailed(result) ? (result.reason ?? result.title) : verdictReason(result) },
    // Viewers require a file: the path of the endpoint is in its place.
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: encodeURI(route.replace(/^\w+ \//, '') || 'all-endpoints') },
          region: { startLine: 1 },
        },
        logicalLocations: [{ fullyQualifiedName: route || 'all endpoints', kind: 'resource' }],
      },
    ],
    partialFingerprints: { 'checkId/v1': id },
    ...(hasFailed(result) &&
      expectedFailure !== undefined && { suppressions: [{ kind: 'external', justification: expectedFailure }] }),
    ...(sent && {
      webRequest: {
        ...{ protocol: 'HTTP', method: sent.method, target: `${baseURL}${sent.path}`, headers: { ...sent.headers } },
        ...(sent.body !== undefined && { body: { text: sent.body } }),
      },
    }),
    ...(response && {
      webResponse: {
        protocol: 'HTTP',
        statusCode: response.status,
        headers: response.contentType === null ? {} : { 'content-type': response.contentType },
        body: { text: response.body },
      },
    }),
  };
}
