// The packages of the workspace, found by its globs, so that new packages are checked and published without a list.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Folders with a package.json, relative to `root`, sorted by name. */
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

/** The published packages as `{ folder, manifest, portable }`; a `portable` package does not need Node.js. */
export function publishedPackages(root) {
  return workspaceFolders(root)
    .map((folder) => ({ folder, manifest: manifestOf(root, folder) }))
    .filter(({ manifest }) => !manifest.private)
    .map((one) => ({ ...one, portable: isPortable(root, one.folder) }));
}

/** Whether its lint rules forbid Node.js modules. */
function isPortable(root, folder) {
  const rules = join(root, folder, 'eslint.config.js');
  return existsSync(rules) && readFileSync(rules, 'utf8').includes('portable: true');
}
