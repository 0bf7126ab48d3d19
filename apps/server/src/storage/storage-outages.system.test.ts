import { unreliableProxy } from '@modelwire/ports/testing';
import { expect, onTestFinished, test } from 'vitest';
import { createBatch, inputLine, linesOf } from '../testing/batch-input.ts';
import { countingUpstream } from '../testing/counting-upstream.ts';
import type { ServerProcess } from '../testing/process.ts';
import { useSharedStorage } from '../testing/shared-storage.ts';
import { clientOf, key } from '../testing/test-server.ts';

const pollOptions = { timeout: 120_000, interval: 100 };
const storage = useSharedStorage();

/** The program on PostgreSQL and on a bucket, both of which can be stopped. */
async function served() {
  const upstream = await countingUpstream(20);
  const path = await unreliableProxy(storage.bucket().endpoint);
  onTestFinished(path.stop);
  const server = await storage.startProgram({
    upstream,
    endpoint: path.url,
    // A batch that an outage interrupts is resumed soon.
    config: { blobTimeoutMs: 3000, batchConcurrency: 4, jobLeaseMs: 5000 },
    env: { MODELWIRE_LOG_LEVEL: 'info' },
  });
  return { server, path, client: clientOf(server.url) };
}

/** Well within the 30 seconds that a request to a bucket may take by default. */
const soon = () => AbortSignal.timeout(25_000);

function get({ url }: ServerProcess, path: string): Promise<Response> {
  return fetch(`${url}/v1${path}`, { headers: { authorization: `Bearer ${key}` }, signal: soon() });
}

function send({ url }: ServerProcess): Promise<Response> {
  const body = new FormData();
  body.set('purpose', 'user_data');
  body.set('file', new Blob(['content']), 'a.txt');
  return fetch(`${url}/v1/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body,
    signal: soon(),
  });
}

async function expectUnavailable(request: Promise<Response>): Promise<void> {
  const response = await request;
  expect(await response.json()).toMatchObject({ error: { code: 'storage_unavailable' } });
  expect(response.status).toBe(503);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
}

/** Requests that were logged with this outage. */
function outagesIn({ log }: ServerProcess, dependency: string, cause: RegExp): unknown[] {
  const lines = log()
    .split('\n')
    .flatMap((line) => (line.startsWith('{') && line.endsWith('}') ? [JSON.parse(line) as Logged] : []));
  return lines.filter(
    ({ msg, status, outage }) =>
      msg === 'request' && status === 503 && outage?.dependency === dependency && cause.test(outage.cause),
  );
}

interface Logged {
  readonly msg: string;
  readonly status?: number;
  readonly outage?: { readonly dependency: string; readonly cause: string };
}

test('PostgreSQL outage: 503 storage_unavailable with a log line, and recovery without a restart', async () => {
  const { server, client } = await served();
  const { id } = await client.files.create({ file: new File(['content'], 'a.txt'), purpose: 'user_data' });
  await storage.postgres().stop();
  try {
    for (const path of ['/files', `/files/${id}`, '/batches', '/chat/completions'])
      await expectUnavailable(get(server, path));
    await expectUnavailable(send(server));
    expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    await expect
      .poll(() => outagesIn(server, 'postgres', /^connection refused \(ECONNREFUSED\)$/), pollOptions)
      .not.toEqual([]);
  } finally {
    await storage.postgres().start();
  }
  await expect.poll(async () => (await get(server, `/files/${id}`)).status, pollOptions).toBe(200);
  expect((await send(server)).status).toBe(200);
}, 300_000);

test('S3 outage: 503 storage_unavailable with a log line, and recovery without a restart', async () => {
  const { server, path, client } = await served();
  const { id } = await client.files.create({ file: new File(['content'], 'a.txt'), purpose: 'user_data' });
  await path.stop();
  await expectUnavailable(get(server, `/files/${id}/content`));
  await expectUnavailable(send(server));
  await expect.poll(() => outagesIn(server, 's3', /^connection refused/), pollOptions).toHaveLength(2);
  // Requests without file contents succeed.
  expect((await get(server, `/files/${id}`)).status).toBe(200);
  await path.start();
  await expect.poll(async () => (await get(server, `/files/${id}/content`)).status, pollOptions).toBe(200);
  expect((await send(server)).status).toBe(200);
}, 300_000);

test('unresponsive S3: 503 within blobTimeoutMs', async () => {
  const { server, path, client } = await served();
  const { id } = await client.files.create({ file: new File(['content'], 'a.txt'), purpose: 'user_data' });
  path.freeze();
  await Promise.all([expectUnavailable(get(server, `/files/${id}/content`)), expectUnavailable(send(server))]);
  await expect.poll(() => outagesIn(server, 's3', /^timeout/), pollOptions).toHaveLength(2);
  path.thaw();
  await expect.poll(async () => (await get(server, `/files/${id}/content`)).status, pollOptions).toBe(200);
}, 300_000);

test('a batch completes across outages of PostgreSQL and S3 with each line processed once', async () => {
  const { server, path, client } = await served();
  const names = Array.from({ length: 200 }, (_, n) => `line-${n}`);
  const { id } = await createBatch(
    client,
    names.map((name) => inputLine(name, { model: 'counted' })),
  );
  const completed = async () => (await client.batches.retrieve(id)).request_counts?.completed;
  await expect.poll(completed, { ...pollOptions, interval: 10 }).toBeGreaterThan(20);
  await storage.postgres().stop();
  try {
    await expectUnavailable(get(server, '/batches'));
  } finally {
    await storage.postgres().start();
  }
  // The bucket hangs until the results are to be written.
  path.freeze();
  await expectUnavailable(send(server));
  await path.stop();
  await expectUnavailable(send(server));
  path.thaw();
  await path.start();
  const status = async () =>
    (await get(server, `/batches/${id}`).then((one) => one.json() as Promise<{ status?: string }>)).status;
  await expect.poll(status, pollOptions).toBe('completed');
  const { request_counts, output_file_id, error_file_id } = await client.batches.retrieve(id);
  expect(request_counts).toEqual({ total: 200, completed: 200, failed: 0 });
  expect(error_file_id ?? null).toBeNull();
  expect((await linesOf(client, output_file_id)).map(({ custom_id }) => custom_id)).toEqual(names);
}, 300_000);
