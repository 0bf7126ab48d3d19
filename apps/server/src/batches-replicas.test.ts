import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@modelwire/store-postgres/testing';
import type { PostgresServer } from '@modelwire/store-postgres/testing';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { createBatch, inputLine, linesOf } from './testing/batch-input.ts';
import { countingUpstream } from './testing/counting-upstream.ts';
import { startProcess } from './testing/process.ts';
import type { ServerProcess } from './testing/process.ts';
import { clientOf } from './testing/serve.ts';

let postgres: PostgresServer;

beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.discard());

/** Two of the program on one database and one folder of bytes. */
async function replicas(delayMs: number) {
  const upstream = await countingUpstream(delayMs);
  const cwd = mkdtempSync(join(tmpdir(), 'modelwire-replicas-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const config = {
    simulator: false,
    upstreams: [{ baseURL: upstream.baseURL, name: 'counting' }],
    models: { counted: {} },
    database: postgres.url,
    batchConcurrency: 8,
    jobLeaseMs: 4000,
  };
  writeFileSync(join(cwd, 'modelwire.config.json'), JSON.stringify(config));
  const [one, two] = await Promise.all([startProcess(cwd), startProcess(cwd)]);
  return { upstream, one, two };
}

const names = Array.from({ length: 1000 }, (_, n) => `line-${n}`);
const input = names.map((name) => inputLine(name, { model: 'counted' }));

async function halfway({ url }: ServerProcess, id: string): Promise<void> {
  const counts = async () => (await clientOf(url).batches.retrieve(id)).request_counts?.completed;
  await vi.waitFor(async () => expect(await counts()).toBeGreaterThan(100), { timeout: 30_000, interval: 20 });
}

async function whole({ url }: ServerProcess, id: string): Promise<void> {
  const client = clientOf(url);
  await vi.waitFor(async () => expect((await client.batches.retrieve(id)).status).toBe('completed'), {
    timeout: 60_000,
    interval: 50,
  });
  const { request_counts, output_file_id } = await client.batches.retrieve(id);
  expect(request_counts).toEqual({ total: 1000, completed: 1000, failed: 0 });
  expect((await linesOf(client, output_file_id)).map(({ custom_id }) => custom_id)).toEqual(names);
}

test('when the replica that runs a batch is killed, the other takes it over, and asks no kept line again', async () => {
  const { upstream, one, two } = await replicas(10);
  // The one that takes it on wakes its own worker first.
  const { id } = await createBatch(clientOf(one.url), input);
  await halfway(two, id);
  one.kill('SIGKILL');
  await one.gone;
  const asked = [...upstream.asked.values()].reduce((sum, count) => sum + count, 0);
  const kept = (await clientOf(two.url).batches.retrieve(id)).request_counts?.completed ?? 0;
  await whole(two, id);
  const twice = [...upstream.asked.values()].reduce((sum, count) => sum + count - 1, 0);
  expect(upstream.asked.size).toBe(1000);
  expect(twice).toBe(asked - kept);
}, 120_000);

test('a replica that stops hands its batch over, and no line is asked twice', async () => {
  const { upstream, one, two } = await replicas(10);
  const { id } = await createBatch(clientOf(one.url), input);
  await halfway(two, id);
  one.kill('SIGTERM');
  await one.gone;
  await whole(two, id);
  expect(upstream.asked.size).toBe(1000);
  // Those that were at work have ended, and their answers were kept.
  expect([...upstream.asked.values()].filter((count) => count > 1)).toEqual([]);
}, 120_000);
