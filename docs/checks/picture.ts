import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Row {
  readonly title: string;
  readonly note: string;
  readonly names: readonly string[];
}

/** The layers as boxes, highest first, with every package of the workspace in its place. */
export function architecturePicture(): string {
  const rows = layers();
  const [width, margin, chipHeight, lineHeight] = [960, 24, 26, 34];
  const parts: string[] = [];
  let top = margin;
  for (const [at, { title, note, names }] of rows.entries()) {
    const lines = chipLines(names, width - 2 * margin - 32);
    const height = 44 + lines.length * lineHeight + 8;
    parts.push(
      `<rect x="${margin}" y="${top}" width="${width - 2 * margin}" height="${height}" rx="10" class="layer l${at}"/>`,
      `<text x="${margin + 16}" y="${top + 26}" class="title">${escaped(title)}</text>`,
      `<text x="${width - margin - 16}" y="${top + 26}" class="note" text-anchor="end">${escaped(note)}</text>`,
    );
    for (const [line, chips] of lines.entries()) {
      const y = top + 42 + line * lineHeight;
      for (const { name, x, width: chip } of chips) {
        parts.push(
          `<rect x="${margin + 16 + x}" y="${y}" width="${chip}" height="${chipHeight}" rx="6" class="chip"/>`,
          `<text x="${margin + 16 + x + chip / 2}" y="${y + 17.5}" class="name" text-anchor="middle">${escaped(name)}</text>`,
        );
      }
    }
    top += height;
    // The server kit and the clients stand beside each other: both on the foundation, neither on the other.
    if (title === 'The server kit') top += 10;
    else if (at < rows.length - 1) {
      parts.push(`<path d="M ${width / 2} ${top + 2} v 14 m -5 -5 l 5 6 l 5 -6" class="arrow"/>`);
      top += 24;
    }
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${top + margin}" width="${width}" height="${top + margin}" role="img" aria-label="The packages in their layers, each importing from lower ones">
<style>
  text { font-family: system-ui, -apple-system, 'Segoe UI', sans-serif; fill: #1f2937 }
  .title { font-size: 15px; font-weight: 600 } .note { font-size: 13px; fill: #4b5563 } .name { font-size: 12.5px }
  .layer { stroke: #94a3b8 } .l0 { fill: #fef3c7 } .l1 { fill: #fce7f3 } .l2 { fill: #dbeafe } .l3 { fill: #dcfce7 } .l4 { fill: #ede9fe }
  .chip { fill: #ffffff; stroke: #cbd5e1 } .arrow { fill: none; stroke: #64748b; stroke-width: 1.5 }
</style>
<rect width="100%" height="100%" fill="#ffffff"/>
${parts.join('\n')}
</svg>
`;
}

/** By what a package imports: a new one finds its place by itself. */
function layers(): Row[] {
  const manifests = ['packages', 'apps'].flatMap((parent) =>
    readdirSync(join(root, parent))
      .map((name) => join(root, parent, name, 'package.json'))
      .filter((path) => existsSync(path))
      .map((path) => ({ app: parent === 'apps', ...read(path) })),
  );
  const needs = new Map(manifests.map(({ name, dependencies }) => [name, dependencies]));
  const reaches = (name: string, what: string): boolean =>
    (needs.get(name) ?? []).some((inner) => inner === what || reaches(inner, what));
  const below = new Set(['schema', 'core', 'grammar', 'ports', 'adapter-kit']);
  const adapter = /^(engine|store|blobs)-/;
  const names = (fits: (one: { readonly name: string; readonly app: boolean }) => boolean): string[] =>
    manifests
      .filter(fits)
      .map(({ name }) => name)
      .toSorted();
  const isClient = (name: string): boolean =>
    !below.has(name) && !adapter.test(name) && reaches(name, 'core') && !reaches(name, 'server') && name !== 'server';
  const rest = (name: string): boolean =>
    !below.has(name) && !adapter.test(name) && name !== 'server' && !isClient(name);
  return [
    { title: 'Programs', note: 'what people run', names: names(({ app }) => app) },
    {
      title: 'Adapters and tools for tests',
      note: 'implementations of the ports',
      names: names(({ name, app }) => !app && (adapter.test(name) || rest(name))),
    },
    { title: 'The server kit', note: 'request pipeline, handlers, streams, jobs', names: ['server'] },
    {
      title: 'Clients',
      note: 'beside the server kit, not below it; no zod, nothing of Node',
      names: names(({ name, app }) => !app && isClient(name)),
    },
    { title: 'Foundation', note: 'the contract, ports, transport, constrained decoding', names: [...below] },
  ];
}

function read(path: string): { readonly name: string; readonly dependencies: readonly string[] } {
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as { name: string; dependencies?: Record<string, string> };
  const own = (name: string): string => name.replace('@modelwire/', '');
  const inner = Object.keys(manifest.dependencies ?? {}).filter((name) => name.startsWith('@modelwire/'));
  return { name: own(manifest.name), dependencies: inner.map(own) };
}

interface Chip {
  readonly name: string;
  readonly x: number;
  readonly width: number;
}

function chipLines(names: readonly string[], width: number): Chip[][] {
  const lines: Chip[][] = [[]];
  let x = 0;
  for (const name of names) {
    const chip = Math.round(name.length * 7.1 + 22);
    if (x + chip > width) {
      lines.push([]);
      x = 0;
    }
    lines.at(-1)?.push({ name, x, width: chip });
    x += chip + 8;
  }
  return lines;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
