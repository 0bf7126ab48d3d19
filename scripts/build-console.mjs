// The built console is part of the repository, so that `npm start` needs no build tools. Builds it (about a second) when its sources have
// changed since. `--check` fails if they have.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'apps/console');
/** The hash of the sources that the built files were made from. */
const record = join(folder, 'built.sha256');
const vite = join(folder, 'node_modules/vite/bin/vite.js');

/** Sources of the built files: the console, the clients that it bundles, and the versions of its dependencies. */
const sources = [
  'apps/console/src/app',
  'apps/console/vite.config.ts',
  'packages/schema/src/routes.ts',
  ...['batches', 'chat', 'client', 'core', 'files', 'models', 'moderations', 'responses', 'uploads', 'videos'].map(
    (name) => `packages/${name}/src`,
  ),
];

export function isConsoleStale() {
  return !existsSync(record) || readFileSync(record, 'utf8').trim() !== hashSources();
}

function hashSources() {
  const hash = createHash('sha256');
  for (const file of sources.flatMap(filesIn)) hash.update(`${file}\n`).update(readFileSync(join(root, file)));
  const { devDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const catalog = readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8').split('\n');
  for (const name of Object.keys(devDependencies)) {
    hash.update(catalog.filter((line) => line.replaceAll("'", '').startsWith(`  ${name}: `)).join('\n'));
  }
  return hash.digest('hex');
}

/** The files of a source, without tests, in the same order on every machine. */
function filesIn(source) {
  if (!statSync(join(root, source)).isDirectory()) return [source];
  return readdirSync(join(root, source), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length).replaceAll('\\', '/'))
    .sort();
}

/** Builds the console if it is stale. Throws an error with the output of the build if it fails. */
export function buildConsole() {
  if (!isConsoleStale()) return;
  if (!existsSync(vite)) throw new Error('The console is older than its sources. To build it, run `npm run console`.');
  process.stderr.write('Building the console (only after changes)\n');
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: folder,
    // Tests set another, with which React would be its development version.
    env: { ...process.env, NODE_ENV: 'production' },
    encoding: 'utf8',
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`The console could not be built:\n${stdout}${stderr}`);
  writeFileSync(record, `${hashSources()}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!process.argv.includes('--check')) buildConsole();
  else if (isConsoleStale()) {
    process.stderr.write(
      'The built console is older than its sources. Run `npm run console` and commit apps/console/built.\n',
    );
    process.exit(1);
  }
}
