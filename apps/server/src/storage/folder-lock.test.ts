import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@modelwire/vitest/temporary-folder';
import { expect, test } from 'vitest';
import { lockFolder } from './folder-lock.ts';
import { startProcess } from '../testing/process.ts';

test('refuses a second server on a data folder, naming the folder and the process, until the first has stopped', async () => {
  const path = temporaryFolder();
  const unlock = lockFolder(path);
  expect(() => lockFolder(path)).toThrow(`is in use by another server (process ${process.pid} on `);
  expect(() => lockFolder(path)).toThrow(`data: the folder ${path} is in use by another server`);
  await unlock();
  await lockFolder(path)();
});

test('a killed server does not prevent the next start', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'modelwire.config.json'), JSON.stringify({ moderation: false, videos: false }));
  const data = join(cwd, '.modelwire');
  const server = await startProcess(cwd);
  expect(() => lockFolder(data)).toThrow(`the folder ${data} is in use by another server`);
  server.kill('SIGKILL');
  await server.exited;
  await lockFolder(data)();
}, 300_000);
