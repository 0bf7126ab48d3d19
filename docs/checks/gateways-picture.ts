import { readFileSync } from 'node:fs';

/** A column of the tables of gateways in the README of the benchmarks. */
interface Figure {
  readonly title: string;
  readonly column: string;
  /** The ends of the axis, which is logarithmic: the figures differ by a factor of up to 250. */
  readonly from: number;
  readonly to: number;
}

const figures: readonly Figure[] = [
  { title: 'CPU per request, µs', column: 'CPU per request, µs', from: 20, to: 10_000 },
  { title: 'added to the first byte, ms', column: 'added first byte at 1, ms', from: 0.1, to: 100 },
  { title: 'memory under load, MB', column: '1,500 requests of 150 kB at once, MB', from: 100, to: 2000 },
];

const [width, margin, names, gap, top, rowHeight] = [960, 24, 246, 28, 52, 28] as const;
const panel = (width - 2 * margin - names - gap * (figures.length - 1)) / figures.length;

/** The figures of the gateways in `benchmarks/README.md` as points on logarithmic axes. */
export function gatewaysPicture(): string {
  const tables = gatewayTables(readFileSync(new URL('../../benchmarks/README.md', import.meta.url), 'utf8'));
  const gateways = [...tables.keys()].filter((name) => figures.every(({ column }) => tables.get(name)?.has(column)));
  const height = top + gateways.length * rowHeight + margin;
  const middle = (row: number): number => top + (row + 0.5) * rowHeight;
  const parts = gateways.map(
    (name, row) =>
      `<text x="${margin}" y="${middle(row) + 4.5}" class="${classOf(name)}">${name.replaceAll(/[*`]/g, '')}</text>`,
  );
  for (const [at, { title, column, from, to }] of figures.entries()) {
    const left = margin + names + at * (panel + gap);
    parts.push(`<text x="${left}" y="${margin + 12}" class="title">${title}</text>`);
    for (const [row, name] of gateways.entries()) {
      const value = tables.get(name)?.get(column) ?? '';
      // A figure to the right of its point must fit.
      const x = left + (Math.log(Number(value) / from) / Math.log(to / from)) * (panel - 50);
      parts.push(
        `<path d="M ${left} ${middle(row)} h ${panel}" class="line"/>`,
        `<circle cx="${x.toFixed(1)}" cy="${middle(row)}" r="5.5" class="${classOf(name)}"/>`,
        `<text x="${(x + 11).toFixed(1)}" y="${middle(row) + 4.5}" class="${classOf(name)}">${value}</text>`,
      );
    }
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Gateways before the same upstream: CPU time per request, added time to the first byte, memory. Points further left are better">
<style>
  text { font-family: system-ui, -apple-system, 'Segoe UI', sans-serif; font-size: 13px; fill: #4b5563 }
  .title { font-weight: 600; fill: #1f2937 } .line { stroke: #e2e8f0 } circle { fill: #94a3b8 }
  text.ours { font-weight: 600; fill: #1d4ed8 } circle.ours { fill: #1d4ed8 }
</style>
<rect width="100%" height="100%" fill="#ffffff"/>
${parts.join('\n')}
</svg>
`;
}

const classOf = (name: string): string => (name === '**Modelwire**' ? 'ours' : 'other');

/** The cells of the tables of gateways by the name of the gateway and the head of the column. */
function gatewayTables(readme: string): Map<string, Map<string, string>> {
  const section = /<!-- gateways:begin -->(.*)<!-- gateways:end -->/s.exec(readme)?.[1] ?? '';
  const cells = new Map<string, Map<string, string>>();
  let heads: readonly string[] = [];
  for (const line of section.split('\n')) {
    const [first, ...rest] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    if (first === undefined) heads = [];
    else if (heads.length === 0) heads = rest;
    else if (!/^-+$/.test(first)) {
      const known = cells.get(first) ?? new Map<string, string>();
      cells.set(first, known);
      for (const [at, cell] of rest.entries()) if (cell !== '') known.set(heads[at] ?? '', cell);
    }
  }
  return cells;
}
