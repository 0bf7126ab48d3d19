import { makeKey } from '@modelwire/server/keys';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Config } from '../config/schema.ts';
import { createBatch, inputLine, linesOf } from '../testing/batch-input.ts';
import { countingConfig, countingUpstream } from '../testing/counting-upstream.ts';
import { startObservedServer } from '../testing/observed-server.ts';
import { createDatabase } from '../testing/postgres-database.ts';
import { clientOf, startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';
import { scriptedVideos } from '../testing/scripted-videos.ts';
import { serveVideos } from '../testing/video-server.ts';

const lineCount = 200;
const patient = { timeout: 60_000, interval: 20 };

/** A server that runs jobs, and the one whose administrators change keys and projects. */
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
  const database = await createDatabase();
  const worker = await startServer({ ...config, database });
  return { worker, administration: await startServer({ ...config, database, worker: false }) };
}

const revokeKey = (project: string, key: string) => ['DELETE', `projects/${project}/api_keys/${key}`] as const;
const archiveProject = (project: string) => ['POST', `projects/${project}/archive`] as const;

const cases = [
  ['a revoked key', 'SQLite', startOnSqlite, revokeKey, 'key_revoked'],
  ['a project archived by another replica', 'PostgreSQL', startReplicas, archiveProject, 'project_archived'],
] as const;

/** Revokes the only key of the project `shop`, or archives the project. */
async function endAccess({ worker, administration }: Servers, requestOf: (typeof cases)[number][3]): Promise<void> {
  const [key] = await worker.stores.keys.list('shop');
  const admin = await administration.makeKey({ role: 'admin', project: 'operators' });
  const [method, path] = requestOf('shop', key?.id ?? '');
  const headers = { authorization: `Bearer ${admin}` };
  const response = await fetch(`${administration.url}/v1/organization/${path}`, { method, headers });
  expect(response.status).toBe(200);
}

test.each(cases)(
  'a batch of %s is cancelled within seconds on %s',
  async (_what, _store, start, requestOf, code) => {
    const upstream = await countingUpstream(100);
    const servers = await start(countingConfig(upstream, { batchConcurrency: 2 }));
    const { worker } = servers;
    const client = clientOf(worker.url, await worker.makeKey({ project: 'shop' }));
    const input = Array.from({ length: lineCount }, (_, n) => inputLine(`line-${n}`, { model: 'counted' }));
    const { id } = await createBatch(client, input);
    await vi.waitFor(() => expect(upstream.requestCounts.size).toBeGreaterThan(3), patient);

    await endAccess(servers, requestOf);
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

/** Longer than a test may wait. */
const slowReply = Array.from({ length: 2000 }, (_, index) => `word${index}`).join(' ');

test.each(cases)(
  'background responses of %s fail within seconds on %s',
  async (_what, _store, start, requestOf, code) => {
    const servers = await start({
      simulator: { models: [{ id: 'slow', reply: slowReply }], tokensPerSecond: 20 },
      maxBackgroundResponses: 2,
    });
    const { worker } = servers;
    const { responses } = clientOf(worker.url, await worker.makeKey({ project: 'shop' }));
    const body = { model: 'slow', input: 'Go', background: true } as const;
    const streamed = await responses.create({ ...body, stream: true });
    const waiting = [await responses.create(body), await responses.create(body)];
    const ids = waiting.map(({ id }) => id);
    const read = async (): Promise<void> => {
      let deltas = 0;
      for await (const event of streamed) {
        if (event.type === 'response.created') ids.push(event.response.id);
        if (event.type === 'response.output_text.delta' && ++deltas === 3) await endAccess(servers, requestOf);
      }
    };
    // The client of the SDK throws at an event of the type `error`.
    await expect(read()).rejects.toThrow(/^The response was stopped because the (key|project) '/);
    const { responses: stored, eventStreams } = worker.stores.project('shop');
    for (const id of ids) {
      // Two run, and one is queued.
      await vi.waitFor(async () => expect((await stored.get(id))?.response.status).toBe('failed'), patient);
      expect((await stored.get(id))?.response.error).toMatchObject({ code });
    }
    const stream = await eventStreams.read(ids[2] ?? '', { after: -1, limit: 1000 });
    const stopped = (stream?.segments ?? []).flatMap(({ events }) => events.map((event): unknown => JSON.parse(event)));
    expect(stopped).toMatchObject(stopped.map((_, index) => ({ sequence_number: index })));
    expect(stopped.at(-1)).toMatchObject({
      type: 'response.failed',
      response: { status: 'failed', error: { code } },
    });
  },
  120_000,
);

test('the run of a background response of a revoked key is logged with its error, and not as aborted', async () => {
  const { url, stores, log } = await startObservedServer({
    simulator: { models: [{ id: 'slow', reply: slowReply }], tokensPerSecond: 20 },
  });
  const { key, record } = makeKey({ project: 'shop' });
  await stores.keys.add(record);
  const { responses } = clientOf(url, key);
  const { id } = await responses.create({ model: 'slow', input: 'Go', background: true });
  await vi.waitFor(async () => expect((await responses.retrieve(id)).status).toBe('in_progress'), patient);
  await stores.keys.revoke(record.id, 1);
  const run = await vi.waitUntil(() => log.find(({ response, error }) => response === id && error), patient);
  expect(run).toMatchObject({ status: 403, error: 'key_revoked' });
  expect(run).not.toHaveProperty('aborted');
});

test.each([
  ['a revoked key', 'key_revoked'],
  ['an archived project', 'project_archived'],
] as const)('videos of %s fail within seconds, and no further one is rendered', async (_what, code) => {
  const engine = scriptedVideos();
  const { client, stores } = await serveVideos({ ...engine, concurrency: 1 });
  const { keys } = stores;
  // The ID of the key that the server has.
  await keys.add({ ...makeKey({ project: 'default' }).record, id: 'key_1' });
  const ids = [await client.videos.create({ prompt: 'wait' }), await client.videos.create({ prompt: 'wait' })].map(
    ({ id }) => id,
  );
  await vi.waitFor(() => expect(engine.calls).toHaveLength(1), patient);
  if (code === 'key_revoked') await keys.revoke('key_1', 1);
  else await keys.archiveProject('default', 1);
  for (const id of ids) {
    const isFailed = async () => expect((await client.videos.retrieve(id)).status).toBe('failed');
    await vi.waitFor(isFailed, patient);
    const message = expect.stringMatching(/^The video was stopped because the (key|project) '/) as string;
    expect((await client.videos.retrieve(id)).error).toEqual({ code, message });
  }
  expect(engine.calls.map(({ aborted }) => aborted)).toEqual([true]);
});
