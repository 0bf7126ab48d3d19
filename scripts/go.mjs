// `npm start` and `npm test` on a machine with only Node.js and npm: installs missing dependencies with the pinned pnpm (a native binary in
// npm packages), then runs the command of the arguments: `node …` without npx or pnpm processes, `setup` nothing more, other commands with pnpm.
//
// `--server` before the command installs only what the server needs to run, unless everything is installed already.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { packageManager, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

// npm passes its settings in npm_config_* variables, which pnpm would read as its own.
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.toLowerCase().startsWith('npm_')));
// No telemetry.
env.TURBO_TELEMETRY_DISABLED = '1';
// Groups the output by package by default.
env.TURBO_LOG_ORDER ??= 'grouped';
const windows = process.platform === 'win32';

const [major, minor] = process.versions.node.split('.').map(Number);
const [oldestMajor, oldestMinor] = engines.node.slice('>='.length).split('.').map(Number);
const isOlder = major < oldestMajor || (major === oldestMajor && minor < oldestMinor);

const modules = join(root, 'node_modules');
/** What was installed last, `server` or `all`, and the hash of the lockfile that it was installed from. */
const record = join(modules, '.installed');
const [installedScope, installedLockfile] = existsSync(record) ? readFileSync(record, 'utf8').split(' ') : [];
const lockfile = createHash('sha256')
  .update(readFileSync(join(root, 'pnpm-lock.yaml')))
  .digest('hex');

function pnpm(args) {
  return { file: 'npx', args: ['--yes', '--prefer-offline', packageManager, ...args] };
}

/** Runs a command and exits with its status if it fails. `title`: prints that it runs, and every few seconds that it still does. */
async function run({ file, args }, title) {
  const beganMs = performance.now();
  const seconds = () => `${Math.round((performance.now() - beganMs) / 1000)} s`;
  if (title !== undefined) process.stderr.write(`${title}\n`);
  const timer = title === undefined ? undefined : setInterval(() => process.stderr.write(`  ${seconds()}\n`), 5_000);
  const child = spawn(file, args, { cwd: root, env, stdio: 'inherit', shell: windows });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  const status = await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)));
  });
  clearInterval(timer);
  if (status !== 0) process.exit(status);
  if (title !== undefined) process.stderr.write(`  done after ${seconds()}\n`);
}

/** A failed install must stop here: pnpm's own check before a run only warns, and the run would fail with an unrelated error. */
async function install(scope) {
  const shared = ['--prefer-offline', '--reporter=append-only', '--loglevel=error'];
  const frozen = ['--frozen-lockfile', '--config.confirmModulesPurge=false'];
  const server = ['--prod', '--filter-prod', '@modelwire/server-app...'];
  if (isOlder) server.push('--filter-prod', '@modelwire/node');
  if (scope === 'server') {
    await run(
      pnpm(['install', ...shared, ...frozen, ...server]),
      'Installing the dependencies of the server (only once)',
    );
  } else if (scope === 'all') {
    await run(pnpm(['install', ...shared, ...frozen]), 'Installing all dependencies (only after changes)');
  } else {
    // Adds new packages and dependencies to the lockfile.
    await run(pnpm(['install', ...shared, '--no-frozen-lockfile']));
    return;
  }
  mkdirSync(modules, { recursive: true });
  writeFileSync(record, `${scope} ${lockfile}`);
}

/** The Node.js that runs this, if the packages support it; otherwise the one that was installed. */
function findNode() {
  if (!isOlder) return process.execPath;
  const folder = scope === 'all' ? '' : 'tooling/node';
  return join(root, folder, 'node_modules/.bin', windows ? 'node.cmd' : 'node');
}

async function runNode(args) {
  const node = findNode();
  process.chdir(root);
  // Node.js 22.15 and newer can replace the process.
  if (process.execve && !windows) process.execve(node, [node, ...args], env);
  await run({ file: node, args });
}

const needsServerOnly = process.argv[2] === '--server';
const [command, ...args] = process.argv.slice(needsServerOnly ? 3 : 2);
// Whoever has installed everything, also before there was a record or with pnpm itself, keeps everything.
const hasAll = installedScope === 'all' || (installedScope === undefined && existsSync(join(modules, '.modules.yaml')));
const scope = needsServerOnly && !hasAll ? 'server' : 'all';
// The ages of the versions in the lockfile were checked when it was written; checking them again downloads 220 MB of metadata.
if (command !== 'install') env.pnpm_config_minimum_release_age = '0';
if (command === 'install') await install();
else if (installedScope !== scope || installedLockfile !== lockfile) await install(scope);

if (command === 'node') await runNode(args);
else if (command !== 'install' && command !== 'setup') await run(pnpm([command, ...args]));
