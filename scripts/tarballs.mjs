// `npm run tarballs -- chat server`: packs packages as for publishing, with the packages of this workspace that they need, and prints the command
// that installs them elsewhere. Without names, all packages.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publishedPackages } from './workspace.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const into = join(root, '.tarballs');
const packages = new Map(publishedPackages(root).map((one) => [one.manifest.name, one]));

function run(args, cwd) {
  const { status } = spawnSync('pnpm', args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) process.exit(status ?? 1);
}

/** The package and the packages of the workspace that it depends on, also indirectly. */
function addWithDependencies(name, added) {
  const { manifest } = packages.get(name) ?? {};
  if (!manifest || added.has(name)) return;
  added.add(name);
  for (const dependency of Object.keys(manifest.dependencies ?? {})) addWithDependencies(dependency, added);
}

const names = process.argv.slice(2).map((name) => (name.startsWith('@modelwire/') ? name : `@modelwire/${name}`));
const unknown = names.filter((name) => !packages.has(name));
if (unknown.length > 0) {
  const known = Array.from(packages.keys(), (name) => name.slice('@modelwire/'.length)).join(', ');
  process.stderr.write(`There is no package ${unknown.join(', ')}. Packages: ${known}.\n`);
  process.exit(2);
}
const needed = new Set();
for (const name of names.length > 0 ? names : packages.keys()) addWithDependencies(name, needed);
rmSync(into, { recursive: true, force: true });
mkdirSync(into);
run(
  ['exec', 'turbo', 'run', 'build', '--output-logs=errors-only', ...Array.from(needed, (name) => `--filter=${name}`)],
  root,
);
for (const name of needed) run(['pack', '--pack-destination', into], join(root, packages.get(name).folder));
process.stdout.write(`npm install ${join(into, '*.tgz')}\n`);
