import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Latency } from './latency.ts';

export interface Result {
  readonly name: string;
  /** By request: undefined if it succeeded, or what was wrong. */
  readonly failures: readonly (string | undefined)[];
  readonly latency: Latency;
  /** Bytes. */
  readonly memory: number;
}

export const page = fileURLToPath(new URL('../../../docs/compatibility.md', import.meta.url));
const begin = '<!-- gateways: written by npm run compare:gateways -->';
const end = '<!-- /gateways -->';

/** Replaces the tables of the comparison on the page. */
export async function writePage(titles: readonly string[], results: readonly Result[], rounds: number): Promise<void> {
  const text = await readFile(page, 'utf8');
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`${page} lacks the marks of the comparison.`);
  await writeFile(page, `${before}${begin}\n\n${tables(titles, results, rounds)}\n\n${end}${after}`);
}

function tables(titles: readonly string[], results: readonly Result[], rounds: number): string {
  const [, ...gateways] = results;
  const least = Math.min(...gateways.map(({ latency }) => latency.addedMs));
  const rows = titles.map((title, index) => [
    title,
    ...results.map(({ failures }) => (failures[index] === undefined ? 'yes' : `no: ${failures[index]}`)),
  ]);
  const passed = ({ failures }: Result): number => failures.filter((failure) => failure === undefined).length;
  const added = ({ latency }: Result): string =>
    `${latency.addedMs.toFixed(1)} ms${latency.addedMs > least ? ` (${(latency.addedMs / least).toFixed(1)} times)` : ''}`;
  return [
    table(['request', ...results.map(({ name }) => name)], rows),
    '',
    table(
      ['', ...results.map(({ name }) => name)],
      [
        ['requests that succeed', ...results.map((result) => `${passed(result)} of ${titles.length}`)],
        [
          `median of a short request, ${rounds} rounds`,
          ...results.map(({ latency }) => `${latency.medianMs.toFixed(1)} ms`),
        ],
        ['added to the direct request, median', ...results.map((one, index) => (index === 0 ? '–' : added(one)))],
        ['resident memory', ...results.map(({ memory }) => `${Math.round(memory / 1024 / 1024)} MiB`)],
      ],
    ),
  ].join('\n');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
