/** A Markdown table, which Prettier aligns later. The first column is text, the others are numbers. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rule = head.map((_, column) => (column === 0 ? '---' : '--:'));
  return [head, rule, ...rows].map(line).join('\n');
}

/** Rounds to three significant digits. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (value >= 1000) return String(Math.round(value / 10) * 10);
  if (value >= 100) return value.toFixed(0);
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** Puts `text` between the markers `<!-- name:begin -->` and `<!-- name:end -->`. */
export function replaceSection(document: string, name: string, text: string): string {
  const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`];
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the markers of ${name} are missing`);
  return `${document.slice(0, from + begin.length)}\n\n${text}\n\n${document.slice(to)}`;
}
