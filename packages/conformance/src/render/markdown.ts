import type { CheckResult, ConformanceReport } from '../report.ts';
import {
  CERTAINTY,
  failuresOf,
  nameOf,
  percent,
  requestText,
  requirementOf,
  responseText,
  sectionOf,
  summaryOf,
  verdictReason,
} from './words.ts';

/** A table of the endpoints, and each failure. */
export function renderMarkdown(report: ConformanceReport): string {
  const { score, endpoints, notes, notDeleted } = report;
  const failures = failuresOf(report);
  return [
    '# Conformance',
    '',
    `${inline(report.baseURL)}, ${report.startedAt}`,
    '',
    `**${percent(score.all)}** of all checks, **${percent(score.served)}** of served endpoints, **${percent(score.sure)}** of those by the API specification alone.`,
    '',
    `${summaryOf(report)}.`,
    ...notes.map((note) => `\n> ${inline(note)}`),
    '',
    '| endpoint | served | score | pass | fail | undecided | skipped |',
    '| --- | --- | --: | --: | --: | --: | --: |',
    ...endpoints.map((one) => {
      const { pass, fail, error, skipped } = one.counts;
      const served = one.served === undefined ? '?' : one.served ? 'yes' : 'no';
      return `| ${cell(nameOf(one))} | ${served} | ${percent(one.score)} | ${pass} | ${fail} | ${error} | ${skipped} |`;
    }),
    ...(failures.length > 0 ? ['', '## Failures', ...failures.flatMap(failure)] : []),
    ...(notDeleted.length > 0 ? ['', '## Not deleted', '', ...notDeleted.map((name) => `- ${inline(name)}`)] : []),
    '',
  ].join('\n');
}

function failure(result: CheckResult): readonly string[] {
  const { sent, response } = result;
  return [
    '',
    `### ${inline(result.title)}`,
    '',
    `${inline(result.id)} · ${sectionOf(result)} · ${result.certainty}: ${CERTAINTY[result.certainty]} · ${requirementOf(result)}`,
    '',
    inline(verdictReason(result)),
    ...(result.expectation !== undefined && result.expectation !== result.title
      ? ['', `Expected: ${inline(result.expectation)}`]
      : []),
    ...(result.fix !== undefined ? ['', `Fix: ${inline(result.fix)}`] : []),
    ...(sent ? ['', ...fence(requestText(sent))] : []),
    ...(response ? ['', ...fence(responseText(response))] : []),
  ];
}

/** A fence longer than any in the text. */
function fence(text: string): readonly string[] {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const ticks = '`'.repeat(longest + 1);
  return [`${ticks}text`, text, ticks];
}

/** Escapes server text for a line of Markdown. */
const inline = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]<>|#~!&]/g, (mark) => (mark === '<' ? '&lt;' : mark === '&' ? '&amp;' : `\\${mark}`));

const cell = (text: string): string => `\`${text.replace(/[|`\n]/g, ' ')}\``;
