import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lockFolder } from './folder-lock.ts';
import { startProcess } from './testing/process.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'modelwire-lock-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

test('refuses a second server on a data folder, naming the folder and the process, until the first has stopped', async () => {
  const path = folder();
  const unlock = lockFolder(path);
  expect(() => lockFolder(path)).toThrow(`is in use by another server (process ${process.pid} on `);
  expect(() => lockFolder(path)).toThrow(`data: the folder ${path} is in use by another server`);
  await unlock();
  await lockFolder(path)();
});

test('a killed server does not prevent the next start', async () => {
  const cwd = folder();
  writeFileSync(join(cwd, 'modelwire.config.json'), JSON.stringify({ moderation: false, videos: false }));
  const data = join(cwd, '.modelwire');
  const server = await startProcess(cwd);
  expect(() => lockFolder(data)).toThrow(`the folder ${data} is in use by another server`);
  server.kill('SIGKILL');
  await server.exited;
  await lockFolder(data)();
}, 300_000);
