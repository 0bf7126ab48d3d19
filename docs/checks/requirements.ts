import { listRequirements } from '@modelwire/conformance';
import type { RequirementSummary } from '@modelwire/conformance';

/** The page of the requirements of the conformance suite. */
export function requirementsPage(): string {
  const all = listRequirements();
  const untestable = all.filter((one) => one.untestable !== undefined);
  return [
    '# Requirements',
    '',
    'What [`@modelwire/conformance`](../packages/conformance) requires of a server with an OpenAI-compatible API. Each result names its requirement, and',
    'the month of the public specification that introduced what it tests: the first release of the official Node SDK whose types have it.',
    '`2025-06` stands for that month or an earlier one; what is not part of the specification has no month. `modelwire conform --spec 2025-06`',
    'scores by what the specification of a month has.',
    '',
    '<!-- prettier-ignore -->',
    '| number | requirement | checks | since |',
    '| --- | --- | --: | --- |',
    ...all.filter((one) => one.untestable === undefined).map(testedRow),
    '',
    '## Not tested',
    '',
    '| number | requirement | reason |',
    '| --- | --- | --- |',
    ...untestable.map(
      ({ id, text, untestable: reason }) => `| ${id} | ${escapeCell(text)} | ${escapeCell(reason ?? '')} |`,
    ),
    '',
  ].join('\n');
}

function testedRow({ id, text, checks }: RequirementSummary): string {
  const months = Object.entries(checks).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const total = months.reduce((sum, [, count]) => sum + count, 0);
  const since = months.map(([month, count]) => (months.length === 1 ? month : `${month}: ${count}`)).join(', ');
  return `| ${id} | ${escapeCell(text)} | ${total} | ${since} |`;
}

const escapeCell = (text: string): string => text.replaceAll('|', '\\|');
