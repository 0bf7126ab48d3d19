import { existsSync, readFileSync, readdirSync } from 'node:fs';

const root = new URL('../../', import.meta.url);

/** All versions are 0.0.0 before the first release. */
const isReleased = !readFileSync(new URL('packages/server/package.json', root), 'utf8').includes('"version": "0.0.0"');

const executables = ` There is no executable to download either:
> \`npm run executable\` builds one in a checkout.`;

const note = (text: string): string => `<!-- before-release -->

> Before its first release, Modelwire is not on npm. In a checkout, \`npm run tarballs -- <name>\` packs a package with those that it needs, and
> prints the command that installs them; their programs then run with \`npx\`.${/single executable/.test(text) ? executables : ''}

<!-- /before-release -->`;

/** The documents that may name packages on npm, relative to the root of the repository. */
export function documents(): string[] {
  const readmes = ['packages', 'apps'].flatMap((folder) => list(folder).map((name) => `${folder}/${name}/README.md`));
  const pages = ['docs', 'docs/guides', 'docs/operations', 'docs/contributing'].flatMap((folder) =>
    list(folder).map((name) => `${folder}/${name}`),
  );
  return ['README.md', ...readmes, ...pages].filter((path) => isDocument(path));
}

/** A document with the note after the first command that downloads a package of ours, or without the note when they are released. */
export function withReleaseNote(document: string): string {
  const text = document.replace(/<!-- before-release -->[^]*?<!-- \/before-release -->\n\n?/, '');
  const at = commandIn(text);
  if (isReleased || at < 0) return text;
  const isInBlock = (text.slice(0, at).match(/^ *```/gm)?.length ?? 0) % 2 === 1;
  const end = text.indexOf(isInBlock ? '```\n' : '\n\n', at) + (isInBlock ? '```\n'.length : 1);
  return `${text.slice(0, end)}\n${note(text)}\n${text.slice(end)}`;
}

function commandIn(text: string): number {
  return text.search(/\b(npx|npm (install|i)\b[^`\n]*) @modelwire\//);
}

function isDocument(path: string): boolean {
  const file = new URL(path, root);
  return path.endsWith('.md') && existsSync(file) && commandIn(readFileSync(file, 'utf8')) >= 0;
}

function list(folder: string): string[] {
  return readdirSync(new URL(folder, root));
}
