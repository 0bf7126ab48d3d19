import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { listenForTest } from '@modelwire/vitest/listen';
import { expect, onTestFinished, test } from 'vitest';
import type { Config } from '../config/schema.ts';
import { createBatch, inputLine } from '../testing/batch-input.ts';
import { startTestServer } from '../testing/test-server.ts';

async function open(config: Config = {}) {
  const server = await startTestServer(config);
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
  // Not truncated: the server has the file mapped, and a read beyond its end would kill this process.
  writeFileSync(path, Buffer.alloc(readFileSync(path).byteLength, '?'), { flag: 'r+' });
  rmSync(`${path}-wal`, { force: true });
  await server.client.files.list().catch(() => undefined);
  await expect.poll(async () => (await ready()).status, { timeout: 20_000 }).toBe(503);
  expect(await (await ready()).json()).toMatchObject({ status: expect.stringContaining('database') as string });
});

test('a running job is aborted when the database file vanishes', async () => {
  const { promise: hasArrived, resolve: arrive } = Promise.withResolvers<undefined>();
  const { promise: wasAborted, resolve: abort } = Promise.withResolvers<undefined>();
  const upstream = createServer(({ method }, response) => {
    if (method === 'GET') {
      response.writeHead(404).end();
      return;
    }
    response.on('close', () => abort(undefined));
    arrive(undefined);
  });
  const host = await listenForTest(upstream);
  const { server, ready, path } = await open({
    simulator: false,
    upstreams: [{ name: 'held', baseURL: `http://${host}/v1` }],
    models: { m: {} },
  });
  const { id } = await createBatch(server.client, [inputLine('line-0', { model: 'm' })]);
  await hasArrived;
  rmSync(path);
  expect((await ready()).status).toBe(503);
  await wasAborted;
  expect(await server.client.batches.retrieve(id)).toMatchObject({ request_counts: { completed: 0, failed: 0 } });
});
