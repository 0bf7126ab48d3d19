// Runs tasks of turbo in all packages, also after one has failed, and prints what failed at the end: a newcomer sees all failures at once.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { failureList } from './failures.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const summaries = join(root, '.turbo', 'runs');
rmSync(summaries, { recursive: true, force: true });
const folder = mkdtempSync(join(tmpdir(), 'modelwire-failed-'));
const failedTests = join(folder, 'tests.jsonl');
writeFileSync(failedTests, '');

const task = process.argv.slice(2);
// A task that needs another one which failed is not run.
const options = ['--continue=dependencies-successful', '--summarize'];
const app = '@modelwire/server-app';
// Turbo starts packages after those they depend on: the tests of the server app, which take longest, would run last, and alone. They start
// first, beside those of the other packages, of which each uses one process.
const runs =
  task[0] === 'test' && !task.some((argument) => argument.startsWith('--filter'))
    ? [
        { args: [...task, `--filter=${app}`], env: {} },
        { args: [...task, `--filter=!${app}`, '--concurrency=3'], env: { VITEST_MAX_WORKERS: '1' } },
      ]
    : [{ args: task, env: {} }];
const turbos = runs.map(({ args, env }) =>
  spawn('turbo', ['run', ...args, ...options], {
    cwd: root,
    env: {
      ...process.env,
      MODELWIRE_FAILED_TESTS: failedTests,
      // Tools and tests of all packages compile their modules once.
      NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled'),
      ...env,
    },
    stdio: 'inherit',
    shell: process.platform === 'win32',
  }),
);
// An interrupted run ends with the list, too. A terminal sends SIGINT to turbo itself, and a second one would not let it end its tasks.
process.on('SIGINT', () => undefined);
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => turbos.forEach((turbo) => turbo.kill(signal)));
const statuses = await Promise.all(turbos.map(statusOf));

const tests = readFileSync(failedTests, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line))
  .map((test) => ({ ...test, folder: relative(root, test.folder) }));
rmSync(folder, { recursive: true });
process.stdout.write(
  failureList(tasksOfRun(), tests)
    .map((line) => `${line}\n`)
    .join(''),
);
process.exitCode = statuses.find((status) => status !== 0) ?? 0;

function statusOf(turbo) {
  return new Promise((resolve, reject) => {
    turbo.on('error', reject);
    turbo.on('close', (code, signal) => resolve(signal === 'SIGINT' ? 130 : (code ?? 1)));
  });
}

function tasksOfRun() {
  try {
    return readdirSync(summaries).flatMap((file) => JSON.parse(readFileSync(join(summaries, file), 'utf8')).tasks);
  } catch {
    // An interrupted run has no summary, or a partial one.
    return [];
  }
}
