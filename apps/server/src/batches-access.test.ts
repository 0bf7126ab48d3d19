import { startPostgres } from '@modelwire/store-postgres/testing';
import type { PostgresServer } from '@modelwire/store-postgres/testing';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { Config } from './config/schema.ts';
import { createBatch, inputLine, linesOf } from './testing/batch-input.ts';
import { countingConfig, countingUpstream } from './testing/counting-upstream.ts';
import { clientOf, startTestServer } from './testing/test-server.ts';
import type { TestServer } from './testing/test-server.ts';

const lineCount = 200;
const patient = { timeout: 60_000, interval: 20 };

let postgres: PostgresServer;
beforeAll(async () => void (postgres = await startPostgres()), 120_000);
afterAll(() => postgres.discard());

/** A server that runs batches, and the one whose administrators change keys and projects. */
interface Servers {
  readonly worker: TestServer;
  readonly administration: TestServer;
}

async function startServer(config: Config): Promise<TestServer> {
  const server = await startTestServer(config);
  onTestFinished(() => server.stop());
  return server;
}

async function startOnSqlite(config: Config): Promise<Servers> {
  const server = await startServer(config);
  return { worker: server, administration: server };
}

async function startReplicas(config: Config): Promise<Servers> {
  const database = await postgres.createDatabase();
  const worker = await startServer({ ...config, database });
  return { worker, administration: await startServer({ ...config, database, worker: false }) };
}

const revokeKey = (project: string, key: string) => ['DELETE', `projects/${project}/api_keys/${key}`] as const;
const archiveProject = (project: string) => ['POST', `projects/${project}/archive`] as const;

test.each([
  ['a revoked key', 'SQLite', startOnSqlite, revokeKey, 'key_revoked'],
  ['an archived project', 'SQLite', startOnSqlite, archiveProject, 'project_archived'],
  ['a key revoked by another replica', 'PostgreSQL', startReplicas, revokeKey, 'key_revoked'],
  ['a project archived by another replica', 'PostgreSQL', startReplicas, archiveProject, 'project_archived'],
] as const)(
  'a batch of %s is cancelled within seconds on %s',
  async (_what, _store, start, requestOf, code) => {
    const upstream = await countingUpstream(100);
    const { worker, administration } = await start(countingConfig(upstream, { batchConcurrency: 2 }));
    const client = clientOf(worker.url, await worker.makeKey({ project: 'shop' }));
    const [key] = await worker.stores.keys.list('shop');
    const input = Array.from({ length: lineCount }, (_, n) => inputLine(`line-${n}`, { model: 'counted' }));
    const { id } = await createBatch(client, input);
    await vi.waitFor(() => expect(upstream.requestCounts.size).toBeGreaterThan(3), patient);

    const admin = await administration.makeKey({ role: 'admin', project: 'operators' });
    const [method, path] = requestOf('shop', key?.id ?? '');
    const headers = { authorization: `Bearer ${admin}` };
    const response = await fetch(`${administration.url}/v1/organization/${path}`, { method, headers });
    expect(response.status).toBe(200);

    // The key is refused, so the store is read.
    const { batches } = worker.stores.project('shop');
    await vi.waitFor(async () => expect((await batches.get(id))?.batch.status).toBe('cancelled'), patient);
    const batch = (await batches.get(id))?.batch;
    expect(batch?.errors?.data).toMatchObject([{ code }]);
    const sent = upstream.requestCounts.size;
    // Two lines at once for at most three seconds, and what a busy machine adds.
    expect(sent).toBeLessThan(lineCount / 2);
    expect(batch?.request_counts).toEqual({ total: lineCount, completed: sent, failed: lineCount - sent });
    if (code === 'key_revoked') {
      const other = clientOf(worker.url, await worker.makeKey({ project: 'shop' }));
      const lines = await linesOf(other, batch?.error_file_id);
      expect(lines.map(({ error }) => error?.code)).toEqual(lines.map(() => 'batch_cancelled'));
      expect(lines).toHaveLength(lineCount - sent);
    }
  },
  120_000,
);
