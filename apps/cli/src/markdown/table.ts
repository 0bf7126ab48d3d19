import type { Style } from '../output/style.ts';
import { widthOf } from '../output/width.ts';
import { renderInline } from './inline.ts';

// Styles have no width.
const STYLES = /\u001b\[\d+m/g;

/** Renders a Markdown table. Returns the lines unchanged if they are not a table or are too wide for the terminal. */
export function renderTable(lines: readonly string[], columns: number, style: Style): string {
  const [head = '', rule = '', ...body] = lines;
  const unchanged = lines.map((line) => `${line}\n`).join('');
  if (!/^\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/.test(rule)) return unchanged;
  const right = cellsOf(rule).map((cell) => /^-+:$/.test(cell));
  const rows = [head, ...body].map((line) => cellsOf(line).map((cell) => renderInline(cell, '', true, style).rendered));
  const cells = (text: string): number => widthOf(text.replace(STYLES, ''));
  const count = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, at) => Math.max(...rows.map((row) => cells(row[at] ?? ''))));
  if (widths.reduce((sum, each) => sum + each + 2, 0) > columns) return unchanged;
  const line = (row: readonly string[]): string =>
    widths
      .map((width, at) => {
        const cell = row[at] ?? '';
        const pad = ' '.repeat(width - cells(cell));
        return right[at] === true ? pad + cell : cell + pad;
      })
      .join('  ')
      .trimEnd();
  const [first = [], ...others] = rows;
  const under = style('dim', widths.map((width) => '─'.repeat(width)).join('  '));
  return [style('bold', line(first)), under, ...others.map(line)].map((each) => `${each}\n`).join('');
}

function cellsOf(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
}
