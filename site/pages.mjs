// The pages of the site: copies of the repository's Markdown files, with links between them, and to GitHub for other files.
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
export const repository = 'https://github.com/modelwire/modelwire';

const sources = [
  ...globSync('docs/**/*.md', { cwd: root, exclude: ['docs/node_modules/**'] }),
  ...globSync('{apps,packages}/*/README.md', { cwd: root }),
  'deploy/README.md',
  'benchmarks/README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
].map((path) => path.replaceAll('\\', '/'));

/** The page of a source: `docs/guides/gguf.md` is `guides/gguf.md`, and `packages/core/README.md` is `packages/core.md`. */
function pageOf(source) {
  const path = source.replace(/^docs\//, '');
  if (path === 'README.md') return 'overview.md';
  if (source.startsWith('docs/')) return path.replace(/README\.md$/, 'index.md');
  return path.replace(/\/README\.md$/, '.md').toLowerCase();
}

/** Pictures of the home page and of every page. */
const homePictures = ['docs/console/completions.png', 'docs/console/completions-dark.png', 'docs/images/mark.svg'];

const pages = new Map(sources.map((source) => [source, pageOf(source)]));

/** What a link of a source leads to: a page, a copied picture, or a file on GitHub. */
function linkTarget(source, target, files, gitRef) {
  if (/^(?:[a-z]+:|#|\/)/.test(target)) return target;
  const [path, anchor] = target.split('#');
  const named = posix.join(posix.dirname(source), path);
  const inside = posix.join(named, 'README.md');
  const page = pages.get(named) ?? pages.get(inside);
  const hash = anchor === undefined ? '' : `#${anchor}`;
  if (page) return `/${page}${hash}`;
  if (!existsSync(join(root, named))) throw new Error(`${source} has a link to ${target}, which does not exist`);
  if (/\.(?:svg|png)$/.test(named)) {
    files.add(named);
    return `/${named}`;
  }
  const kind = statSync(join(root, named)).isDirectory() ? 'tree' : 'blob';
  return `${repository}/${kind}/${gitRef}/${named.replace(/\/$/, '')}${hash}`;
}

/** Code blocks between `<!-- tabs -->` and `<!-- /tabs -->`, each after its name in bold, become tabs. */
function withTabs(text) {
  return text.replaceAll(/<!-- tabs -->\n([^]*?)<!-- \/tabs -->/g, (_, inside) => {
    const tabs = inside.replaceAll(/^\*\*(.+)\*\*\n+```(\w+)$/gm, '```$2 [$1]');
    return `::: code-group\n\n${tabs.trim()}\n\n:::`;
  });
}

/** Applies a function to the text outside code blocks and code spans. */
function outsideCode(text, change) {
  return text
    .split(/(^```[^]*?^```$|`[^`\n]+`)/gm)
    .map((part, at) => (at % 2 === 0 ? change(part) : part))
    .join('');
}

function pageText(source, files, gitRef) {
  const text = withTabs(readFileSync(join(root, source), 'utf8'));
  const linked = outsideCode(text, (part) =>
    part
      .replaceAll(/<!--[^]*?-->\n*/g, '')
      .replaceAll(/(\]\(|\b(?:src|srcset|href)=")([^)"\s]+)([)"])/g, (_, open, target, close) =>
        [open, linkTarget(source, target, files, gitRef), close].join(''),
      ),
  );
  return `---\nsource: ${source}\n---\n\n${linked}`;
}

/** Files that are no pages are linked at `gitRef`, a branch or tag. */
export function writePages(folder, gitRef) {
  rmSync(folder, { recursive: true, force: true });
  const files = new Set();
  for (const [source, page] of pages) {
    mkdirSync(join(folder, dirname(page)), { recursive: true });
    writeFileSync(join(folder, page), pageText(source, files, gitRef));
  }
  cpSync(new URL('home.md', import.meta.url), join(folder, 'index.md'));
  for (const file of [...homePictures, ...files]) {
    cpSync(join(root, file), join(folder, 'public', file));
  }
}

/** The groups of the index of the documentation, with the pages that they link to. */
export function readIndex() {
  const text = readFileSync(join(root, 'docs/README.md'), 'utf8');
  return text
    .split(/^##+ /m)
    .slice(1)
    .map((section) => ({
      title: section.slice(0, section.indexOf('\n')),
      links: [...section.matchAll(/^- \[(.+?)\]\((\S+?)\)(?:[:,]? (.*))?$/gm)].flatMap(
        ([, title, target, description = '']) => {
          const page = pages.get(posix.join('docs', target));
          return page ? [{ title, page, description }] : [];
        },
      ),
    }));
}

/** The READMEs of the packages, by name. */
export const packagePages = [...pages.values()].filter((page) => page.startsWith('packages/')).sort();
