// For language models: each page as Markdown beside its HTML, and their list in llms.txt (https://llmstxt.org).
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packagePages, readIndex } from './pages.mjs';

export function writeMarkdown(pages, dist, base) {
  for (const page of globSync('**/*.md', { cwd: pages })) {
    writeFileSync(join(dist, page), readFileSync(join(pages, page), 'utf8').replaceAll('](/', `](${base}`));
  }
  const packages = packagePages.map((page) => ({ title: `@modelwire/${page.slice(9, -3)}`, page, description: '' }));
  const sections = [...readIndex(), { title: 'Packages', links: packages }].map(({ title, links }) => {
    const lines = links.map(({ title, page, description }) =>
      [`- [${title}](${base}${page})`, description].filter(Boolean).join(': '),
    );
    return `## ${title}\n\n${lines.join('\n')}\n`;
  });
  const summary = '> A self-hosted, OpenAI-compatible API server, and the npm packages that it is made of.';
  writeFileSync(
    join(dist, 'llms.txt'),
    ['# Modelwire', summary, ...sections].join('\n\n').replaceAll('\n\n\n', '\n\n'),
  );
}
