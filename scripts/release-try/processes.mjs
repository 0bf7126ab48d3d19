// Child processes of a trial: run to completion, or in the background until it ends.
import { spawn, spawnSync } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

// pnpm and npm pass their settings in npm_config_* variables; a trial only uses its .npmrc.
export const cleanEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_|pnpm_|MODELWIRE_)/i.test(name)),
);

/** Runs to completion. Throws an error with its output if it fails. */
export function run(command, args, { cwd, env = {}, timeout = 600_000 } = {}) {
  const { status, stdout, stderr, error, signal } = spawnSync(command, args, {
    cwd,
    env: { ...cleanEnv, ...env },
    encoding: 'utf8',
    timeout,
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status === 0) return stdout;
  const why = error?.message ?? (signal ? `killed by ${signal}` : `exit code ${status}`);
  throw new Error(`${command} ${args.join(' ')}: ${why}\n${stdout ?? ''}${stderr ?? ''}`.slice(-6000));
}

export function npm(args, cwd) {
  return run('npm', args, { cwd });
}

const running = new Set();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Runs in the background with its output in the file `log`. Returns a function that stops it. */
export function start(command, args, { cwd, env = {}, log }) {
  const out = openSync(log, 'a');
  const child = spawn(command, args, { cwd, env: { ...cleanEnv, ...env }, stdio: ['ignore', out, out] });
  running.add(child);
  const ended = new Promise((resolve) => child.once('close', resolve));
  return async () => {
    running.delete(child);
    child.kill('SIGTERM');
    await Promise.race([ended, sleep(10_000).then(() => child.kill('SIGKILL'))]);
  };
}

/** Polls until the result is truthy, for a minute. */
export async function until(holds, otherwise) {
  for (let tries = 0; tries < 600; tries++) {
    const found = await Promise.resolve()
      .then(holds)
      .catch(() => undefined);
    if (found) return found;
    await sleep(100);
  }
  throw new Error(otherwise);
}

/** Waits until `pattern` matches in a log. Returns its first group. */
export function printed(log, pattern) {
  return until(() => pattern.exec(readFileSync(log, 'utf8'))?.[1], `${log} does not contain ${pattern}`);
}

export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
