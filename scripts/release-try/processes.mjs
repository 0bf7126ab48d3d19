// Child processes of a trial: run to their end, or kept until it is over.
import { spawn, spawnSync } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

// pnpm and npm hand their own settings down as npm_config_*: a trial has those of its .npmrc only.
export const cleanEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_|pnpm_|MODELWIRE_)/i.test(name)),
);

/** Runs to the end; throws with what it printed when it fails. */
export function run(command, args, { cwd, env = {}, timeout = 600_000 } = {}) {
  const { status, stdout, stderr, error, signal } = spawnSync(command, args, {
    cwd,
    env: { ...cleanEnv, ...env },
    encoding: 'utf8',
    timeout,
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status === 0) return stdout;
  const why = error?.message ?? (signal ? `ended by ${signal}` : `exit code ${status}`);
  throw new Error(`${command} ${args.join(' ')}: ${why}\n${stdout ?? ''}${stderr ?? ''}`.slice(-6000));
}

export function npm(args, cwd) {
  return run('npm', args, { cwd });
}

const running = new Set();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Runs beside us, what it prints in `log`; gives a function that ends it. */
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

/** Asks until it holds, for a minute. */
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

/** What `pattern` finds in a log, waited for. */
export function printed(log, pattern) {
  return until(() => pattern.exec(readFileSync(log, 'utf8'))?.[1], `${log} does not say ${pattern}`);
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
