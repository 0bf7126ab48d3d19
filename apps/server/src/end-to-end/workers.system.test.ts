import { setTimeout } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { createBatch, inputLine, linesOf } from '../testing/batch-input.ts';
import { expectOneServer } from '../testing/one-server-of-workers.ts';
import { createDatabase } from '../testing/postgres-database.ts';
import { sendSeparately } from '../testing/separate-request.ts';
import { clientOf } from '../testing/test-server.ts';
import { startWorkerServer } from '../testing/worker-server.ts';

const storages = [
  ['SQLite', () => Promise.resolve({})],
  ['PostgreSQL', async () => ({ database: await createDatabase() })],
] as const;

const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe.each(storages)('two workers with %s', (_, storage) => {
  test('replace a worker that is killed, lose nothing that was acknowledged, and drain at SIGTERM', async () => {
    const server = await startWorkerServer({
      ...(await storage()),
      simulator: true,
      batchConcurrency: 4,
      jobLeaseMs: 5000,
    });
    const { upstream } = server;
    const client = clientOf(server.url, server.key);
    const pids = (): number[] =>
      server.logged('a worker listens').flatMap(({ worker, pid }) => (worker === 1 ? [pid ?? 0] : []));

    const stored = await Promise.all(
      times(6).map((index) =>
        client.chat.completions.create({
          model: 'simulator',
          store: true,
          messages: [{ role: 'user', content: `stored ${index}` }],
        }),
      ),
    );
    const names = times(40).map((index) => `line-${index}`);
    let kill: (() => void) | undefined = () => {
      kill = undefined;
      process.kill(Number(pids()[0]), 'SIGKILL');
    };
    upstream.onRequest = () => {
      if (upstream.requestCounts.size > 16) kill?.();
    };
    await vi.waitFor(() => expect(pids()).toHaveLength(1), { timeout: 60_000 });
    const batch = await createBatch(
      client,
      names.map((name) => inputLine(name, { model: 'counted' })),
    );
    await vi.waitFor(() => expect(pids()).toHaveLength(2), { timeout: 120_000, interval: 50 });
    expect(server.logged('a worker exited')).toMatchObject([{ worker: 1 }]);
    await vi.waitFor(async () => expect((await client.batches.retrieve(batch.id)).status).toBe('completed'), {
      timeout: 120_000,
      interval: 100,
    });
    const { output_file_id } = await client.batches.retrieve(batch.id);
    expect((await linesOf(client, output_file_id)).map(({ custom_id }) => custom_id)).toEqual(names);
    for (const { id } of stored) expect((await client.chat.completions.retrieve(id)).id).toBe(id);

    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const requestReceived = new Promise<void>((resolve) => {
      upstream.onRequest = () => {
        resolve();
        return released;
      };
    });
    const last = server.chat('last');
    await requestReceived;
    server.kill('SIGTERM');
    // A connection that arrives while the workers stop to listen is closed with the last of them: a probe has a time limit.
    const readiness = () =>
      Promise.race([
        sendSeparately(`${server.url}/readyz`, { key: server.key, method: 'GET' }).catch(() => ({ status: 503 })),
        setTimeout(2000, { status: 503 }),
      ]);
    await vi.waitFor(async () => expect(await readiness()).toMatchObject({ status: 503 }), {
      timeout: 60_000,
      interval: 50,
    });
    release();
    expect((await last).status).toBe(200);
    expect(await server.exited).toEqual([0, null]);
  });
});

test('two workers with PostgreSQL are one server for limits of engines, keys and budgets, for changes of keys, and for metrics', async () => {
  await expectOneServer({ database: await createDatabase() });
});
