// `npm start` and `npm test` on a machine with only Node.js and npm: installs missing dependencies with the pinned pnpm (a native binary in
// npm packages), then runs the command of the arguments: `node …` with the installed Node.js and without npx or pnpm processes, other
// commands with pnpm.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const { packageManager } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const root = fileURLToPath(new URL('..', import.meta.url));

// npm passes its settings in npm_config_* variables, which pnpm would read as its own.
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.toLowerCase().startsWith('npm_')));
// No telemetry.
env.TURBO_TELEMETRY_DISABLED = '1';
// Groups the output by package by default.
env.TURBO_LOG_ORDER ??= 'grouped';
const windows = process.platform === 'win32';

function pnpm(args) {
  const { status, signal, error } = spawnSync('npx', ['--yes', '--prefer-offline', packageManager, ...args], {
    cwd: root,
    env,
    stdio: 'inherit',
    shell: windows,
  });
  if (error) throw error;
  if (signal) process.exit(130);
  if (status !== 0) process.exit(status ?? 1);
}

const [command, ...args] = process.argv.slice(2);
// `install` alone adds new packages and dependencies to the lockfile.
const lockfile = command === 'install' ? '--no-frozen-lockfile' : '--frozen-lockfile';
// A failed install must stop here: pnpm's own check before a run only warns, and the run would fail with an unrelated error.
pnpm(['install', lockfile, '--prefer-offline', '--reporter=append-only', '--loglevel=error']);
if (command === 'node') runNode(args);
else if (command !== 'install') pnpm([command, ...args]);

function runNode(args) {
  process.chdir(root);
  const node = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url));
  // Node.js 22.15 and newer can replace the process.
  if (process.execve && !windows) process.execve(node, [node, ...args], env);
  const child = windows
    ? spawn('node', args, { env, stdio: 'inherit', shell: true })
    : spawn(node, args, { env, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)));
}
