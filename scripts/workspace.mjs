// The packages of the workspace, found by its globs, so that a new one is checked and published without being named anywhere.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Folders with a package.json, relative to `root`, in the order of their names. */
export function workspaceFolders(root) {
  const globs = [];
  let listed = false;
  for (const line of readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8').split('\n')) {
    if (/^packages:/.test(line)) listed = true;
    else if (/^\S/.test(line)) listed = false;
    else if (listed && /^\s+-\s/.test(line)) globs.push(line.replace(/^\s+-\s+/, '').replaceAll(/['"]/g, ''));
  }
  const folders = globs.flatMap((glob) =>
    glob.endsWith('/*')
      ? readdirSync(join(root, glob.slice(0, -2))).map((name) => join(glob.slice(0, -2), name))
      : [glob],
  );
  return folders.filter((folder) => existsSync(join(root, folder, 'package.json'))).toSorted();
}

export function manifestOf(root, folder) {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
}

/** What is published: `{ folder, manifest, portable }` of each package that is not private; `portable` runs on more than Node. */
export function publishedPackages(root) {
  return workspaceFolders(root)
    .map((folder) => ({ folder, manifest: manifestOf(root, folder) }))
    .filter(({ manifest }) => !manifest.private)
    .map((one) => ({ ...one, portable: isPortable(root, one.folder) }));
}

/** What its lint rules hold it to: nothing of Node. */
function isPortable(root, folder) {
  const rules = join(root, folder, 'eslint.config.js');
  return existsSync(rules) && readFileSync(rules, 'utf8').includes('portable: true');
}
