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

// A task that needs another one which failed is not run.
const options = ['--continue=dependencies-successful', '--summarize'];
const turbo = spawn('turbo', ['run', ...process.argv.slice(2), ...options], {
  cwd: root,
  env: {
    ...process.env,
    MODELWIRE_FAILED_TESTS: failedTests,
    // Tools and tests of all packages compile their modules once.
    NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled'),
  },
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
// An interrupted run ends with the list, too. A terminal sends SIGINT to turbo itself, and a second one would not let it end its tasks.
process.on('SIGINT', () => undefined);
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => turbo.kill(signal));
const status = await new Promise((resolve, reject) => {
  turbo.on('error', reject);
  turbo.on('close', (code, signal) => resolve(signal === 'SIGINT' ? 130 : (code ?? 1)));
});

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
process.exitCode = status;

function tasksOfRun() {
  try {
    return readdirSync(summaries).flatMap((file) => JSON.parse(readFileSync(join(summaries, file), 'utf8')).tasks);
  } catch {
    // An interrupted run has no summary, or a partial one.
    return [];
  }
}
