import type { CheckResult, ConformanceReport, EndpointScore } from '../report.ts';
import { escape } from './markup.ts';
import { failureText, nameOf, percent, verdictOf, verdictReason } from './words.ts';

/** JUnit XML with a suite for each endpoint, for CI services. */
export function renderJunit(report: ConformanceReport): string {
  const { counts, endpoints, results } = report;
  const cases = results.map(verdictOf);
  const count = (outcome: CheckResult['outcome']): number => cases.filter((one) => one === outcome).length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="conformance of ${escape(report.baseURL)}" tests="${results.length}" failures="${count('fail')}" errors="${count('error')}" skipped="${count('skipped')}" time="${seconds(report.durationMs)}">`,
    ...endpoints.map((one) =>
      suite(
        one,
        results.filter(({ endpoint }) => endpoint === one.id),
        report.startedAt,
      ),
    ),
    `<!-- ${counts.pass} passed, score ${percent(report.score.all)} -->`,
    '</testsuites>',
    '',
  ].join('\n');
}

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

function suite(endpoint: EndpointScore, results: readonly CheckResult[], timestamp: string): string {
  const count = (outcome: CheckResult['outcome']): number => results.filter((one) => verdictOf(one) === outcome).length;
  const time = seconds(results.reduce((sum, { durationMs }) => sum + durationMs, 0));
  return [
    `<testsuite name="${escape(nameOf(endpoint))}" tests="${results.length}" failures="${count('fail')}" errors="${count('error')}" skipped="${count('skipped')}" time="${time}" timestamp="${escape(timestamp)}">`,
    `<properties><property name="score" value="${escape(percent(endpoint.score))}"/></properties>`,
    ...results.map(testcase),
    '</testsuite>',
  ].join('\n');
}

function details(result: CheckResult): string {
  const { source, paragraphs, exchange } = failureText(result);
  return escape([source, ...paragraphs, ...exchange.map(([label, text]) => `${label}: ${text}`)].join('\n\n'));
}

function testcase(result: CheckResult): string {
  const head = `<testcase classname="${escape(result.endpoint)}" name="${escape(`${result.title} (${result.id})`)}" time="${seconds(result.durationMs)}"`;
  const reason = escape(verdictReason(result));
  switch (verdictOf(result)) {
    case 'pass':
      return `${head}/>`;
    case 'skipped':
      return `${head}><skipped message="${reason}"/></testcase>`;
    case 'fail':
      return `${head}><failure type="${result.certainty}" message="${reason}">${details(result)}</failure></testcase>`;
    case 'error':
      return `${head}><error message="${reason}">${details(result)}</error></testcase>`;
  }
}
