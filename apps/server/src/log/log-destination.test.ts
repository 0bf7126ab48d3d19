import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createLogDestination } from './log-destination.ts';
import { startProcess } from '../testing/process.ts';
import { key } from '../testing/test-server.ts';

const module = new URL('log-destination.ts', import.meta.url).href;

/** The stderr output of a process that logs lines and then ends by the statement `end`. */
function logOf(lines: number, end: string): { readonly log: string; readonly status: number | null } {
  const script = `
    import { createLogDestination } from ${JSON.stringify(module)};
    const log = createLogDestination();
    for (let line = 0; line < ${lines}; line++) log.write('line ' + line + ' of the log, long enough to fill a pipe\\n');
    ${end}`;
  const { stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  return { log: stderr, status };
}

describe('log lines are written in order and complete', () => {
  const lines = 5000;
  test.each([
    ['exits', 'process.exit(3);', 3],
    ['ends', '', 0],
    ['throws', 'setImmediate(() => { throw new Error("unexpected"); });', 1],
    ['rejects', 'Promise.reject(new Error("unexpected"));', 1],
    ['flushes', 'await log.flush(); process.kill(process.pid, "SIGKILL");', null],
  ])('when the process %s', (_, end, expected) => {
    const { log, status } = logOf(lines, end);
    expect(status).toBe(expected);
    const found = [...log.matchAll(/^line (\d+) of/gm)].map(([, number]) => Number(number));
    expect(found).toEqual(Array.from({ length: lines }, (__, line) => line));
  });
});

/** The stderr output of a process that logs `lines` lines before its log is read, and one line after all have been written. */
async function logReadLate(lines: number): Promise<readonly string[]> {
  const script = `
    import { createLogDestination } from ${JSON.stringify(module)};
    const log = createLogDestination();
    for (let line = 0; line < ${lines}; line++) {
      log.write(line + ' '.repeat(990) + '\\n');
      if (line % 100 === 0) await new Promise(setImmediate);
    }
    process.stdout.write('logged');
    await log.flush(60_000);
    log.write('last\\n');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  await once(child, 'close');
  return log
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd());
}

test('lines that wait for a reader are written in order when it reads again', { timeout: 60_000 }, async () => {
  const lines = await logReadLate(8000);
  expect(lines).toEqual([...Array.from({ length: 8000 }, (_, line) => String(line)), 'last']);
});

test('lines are dropped when too many wait for a reader', { timeout: 60_000 }, async () => {
  const lines = await logReadLate(40_000);
  expect(lines.length).toBeLessThan(20_000);
  const written = lines.slice(0, -1).map(Number);
  expect(written).toEqual(written.toSorted((a, b) => a - b));
  expect(new Set(written).size).toBe(written.length);
  expect(lines.at(-1)).toBe('last');
});

test('a process whose log is not read exits after its flush has timed out', { timeout: 60_000 }, async () => {
  const script = `
    import { createLogDestination } from ${JSON.stringify(module)};
    const log = createLogDestination();
    for (let line = 0; line < 20_000; line++) log.write('line ' + line + ' of a log that nobody reads\\n');
    await log.flush(100);
    process.exit(0);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
});

test.runIf(existsSync('/dev/full'))('a process continues and exits normally when its log is on a full disk', () => {
  const script = `
    import { setTimeout } from 'node:timers/promises';
    import { createLogDestination } from ${JSON.stringify(module)};
    const log = createLogDestination();
    for (let time = 0; time < 5; time++) {
      log.write('a line\\n');
      await setTimeout(50);
    }
    process.stdout.write('done');
    process.exit(3);`;
  const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', openSync('/dev/full', 'w')],
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect({ stdout, status }).toEqual({ stdout: 'done', status: 3 });
});

test('lines are written soon after they were logged', async () => {
  const script = `
    import { createLogDestination } from ${JSON.stringify(module)};
    createLogDestination().write('a line\\n');
    setInterval(() => undefined, 60_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  expect(String(await once(child.stderr, 'data'))).toBe('a line\n');
});

test('lines are written to a file in order and complete', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'modelwire-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const destination = createLogDestination(join(folder, 'log'));
  const lines = Array.from({ length: 30_000 }, (_, line) => `line ${line} of the log, which is a file\n`);
  for (const line of lines) destination.write(line);
  await destination.flush();
  expect(readFileSync(join(folder, 'log'), 'utf8')).toBe(lines.join(''));
});

test('flush resolves when there is nothing to write', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'modelwire-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const destination = createLogDestination(join(folder, 'log'));
  await destination.flush();
  destination.write('a line\n');
  await destination.flush();
  expect(readFileSync(join(folder, 'log'), 'utf8')).toBe('a line\n');
  await expect(destination.flush()).resolves.toBeUndefined();
});

test('a server writes the lines of all its requests at SIGTERM', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'modelwire-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const server = await startProcess(folder, { MODELWIRE_LOG_LEVEL: 'info' });
  const responses = await Promise.all(
    Array.from({ length: 100 }, () =>
      fetch(`${server.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } }),
    ),
  );
  server.kill('SIGTERM');
  const ids = responses.map(({ headers }) => headers.get('x-request-id'));
  await server.exited;
  const logged = server.log().trim().split('\n');
  const requests = logged.map((line) => JSON.parse(line) as { readonly requestId?: string; readonly msg: string });
  expect(requests.filter(({ msg }) => msg === 'request').map(({ requestId }) => requestId)).toEqual(
    expect.arrayContaining(ids),
  );
});
