import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

function pages(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return /^(node_modules|dist|\..*|api)$/.test(entry.name) ? [] : pages(path);
    // Those of packages are generated.
    return entry.name.endsWith('.md') && (entry.name !== 'CHANGELOG.md' || folder === root) ? [path] : [];
  });
}

/** As GitHub makes them of headings. */
function anchors(text: string): string[] {
  const bare = text.replaceAll(/^```[^]*?^```$/gm, '');
  return [...bare.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('Every link of every page to a file of this repository leads there, and to a heading that is there', () => {
  const broken: string[] = [];
  const all = pages(root);
  expect(all.length).toBeGreaterThan(30);
  for (const page of all) {
    const text = readFileSync(page, 'utf8').replaceAll(/^```[^]*?^```$/gm, '');
    for (const [, target = ''] of text.matchAll(/(?:\]\(|\bsrc(?:set)?=")([^)"\s]+)[)"]/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      const [path = '', anchor] = target.split('#');
      const named = path === '' ? page : join(dirname(page), path);
      // A folder is shown with its README.
      const inside = join(named, 'README.md');
      const file = anchor !== undefined && existsSync(inside) ? inside : named;
      const there = existsSync(file);
      const fits =
        anchor === undefined ||
        (there && statSync(file).isFile() && anchors(readFileSync(file, 'utf8')).includes(anchor));
      if (!there || !fits) broken.push(`${relative(root, page)}: ${target}`);
    }
  }
  expect(broken).toEqual([]);
});

test('Every page of this folder is reached from its index', () => {
  const docs = join(root, 'docs');
  const index = readFileSync(join(docs, 'README.md'), 'utf8');
  const missing = pages(docs)
    .map((page) => relative(docs, page))
    .filter((page) => page !== 'README.md' && !index.includes(`](${page})`));
  expect(missing).toEqual([]);
});
