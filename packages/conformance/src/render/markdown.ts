import type { CheckResult, ConformanceReport } from '../report.ts';
import { failuresOf, failureText, nameOf, percent, scoresOf, summaryOf, verdictReason } from './words.ts';

/** A table of the endpoints, and each failure. */
export function renderMarkdown(report: ConformanceReport): string {
  const { endpoints, notes, notDeleted } = report;
  const failures = failuresOf(report);
  return [
    '# Conformance',
    '',
    `${inline(report.baseURL)}, ${report.startedAt}`,
    '',
    `${scoresOf(report)
      .map(([score, of]) => `**${score}** ${of}`)
      .join(', ')}.`,
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
  const { source, paragraphs, exchange } = failureText(result);
  const lines = [`${result.id} · ${source}`, verdictReason(result), ...paragraphs].map(inline);
  return [
    ...[`### ${inline(result.title)}`, ...lines].flatMap((line) => ['', line]),
    ...exchange.flatMap(([, text]) => ['', ...fence(text)]),
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
