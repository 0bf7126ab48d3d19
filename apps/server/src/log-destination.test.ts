import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createLogDestination } from './log-destination.ts';
import { startProcess } from './testing/process.ts';
import { key } from './testing/test-server.ts';

const module = new URL('log-destination.ts', import.meta.url).href;

/** What a process writes to stderr that logs lines, and then ends as `end` says. */
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

test.runIf(existsSync('/dev/full'))('a process goes on and exits when its log is on a full disk', () => {
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

test('flush resolves when there is nothing to write', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'modelwire-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const destination = createLogDestination(join(folder, 'log'));
  await destination.flush();
  destination.write('a line\n');
  await destination.flush();
});

test('a server that gets SIGTERM writes the lines of all requests that it answered', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'modelwire-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const server = await startProcess(folder, { MODELWIRE_LOG_LEVEL: 'info', MODELWIRE_DRAIN_MS: '1000' });
  const responses = await Promise.all(
    Array.from({ length: 100 }, () =>
      fetch(`${server.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } }),
    ),
  );
  server.kill('SIGTERM');
  const ids = responses.map(({ headers }) => headers.get('x-request-id'));
  await server.gone;
  const logged = server.log().trim().split('\n');
  const requests = logged.map((line) => JSON.parse(line) as { readonly requestId?: string; readonly msg: string });
  expect(requests.filter(({ msg }) => msg === 'request').map(({ requestId }) => requestId)).toEqual(
    expect.arrayContaining(ids),
  );
});
