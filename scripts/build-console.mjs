// The server serves the built files of apps/console. Builds them (about three seconds) when they are missing or older than their source.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'apps/console');
const built = join(folder, 'dist/app/index.html');

/** Sources of the built files: the console, the clients that it bundles, and the versions of its dependencies. */
const sources = [
  'apps/console/src/app',
  'apps/console/vite.config.ts',
  'pnpm-lock.yaml',
  'packages/schema/src/routes.ts',
  ...['batches', 'chat', 'client', 'core', 'files', 'models', 'moderations', 'responses', 'uploads', 'videos'].map(
    (name) => `packages/${name}/src`,
  ),
];

export function isConsoleStale() {
  if (!existsSync(built)) return true;
  const builtMs = statSync(built).mtimeMs;
  return sources.some((source) => newestMs(join(root, source)) > builtMs);
}

/** The time of the last change of a file or of any file in a folder. */
function newestMs(path) {
  const { mtimeMs } = statSync(path);
  if (!statSync(path).isDirectory()) return mtimeMs;
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Math.max(mtimeMs, ...files.map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs));
}

/** Builds the console if it is stale. Throws an error with the output of the build if it fails. */
export function buildConsole() {
  if (!isConsoleStale()) return;
  process.stderr.write('Building the console (only after changes)\n');
  const vite = join(folder, 'node_modules/vite/bin/vite.js');
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`The console could not be built:\n${stdout}${stderr}`);
}
