import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startTestServer } from './testing/test-server.ts';

async function open() {
  const server = await startTestServer();
  onTestFinished(() => server.stop().catch(() => undefined));
  const ready = () => fetch(new URL('/readyz', server.url));
  expect((await ready()).status).toBe(200);
  return { server, ready, path: join(server.data, 'modelwire.sqlite') };
}

test('a database file that vanishes turns /readyz to 503 with the reason', async () => {
  const { ready, path } = await open();
  rmSync(path);
  const response = await ready();
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ status: expect.stringContaining('vanished') as string });
});

test('a damaged database turns /readyz to 503 with the reason', async () => {
  const { server, ready, path } = await open();
  writeFileSync(path, Buffer.alloc(readFileSync(path).byteLength, '?'));
  rmSync(`${path}-wal`, { force: true });
  await server.client.files.list().catch(() => undefined);
  await expect.poll(async () => (await ready()).status, { timeout: 20_000 }).toBe(503);
  expect(await (await ready()).json()).toMatchObject({ status: expect.stringContaining('database') as string });
});
