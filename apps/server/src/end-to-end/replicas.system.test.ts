import { createHash, randomBytes } from 'node:crypto';
import { bucketKeys } from '@modelwire/blobs-s3/testing';
import { makeKey } from '@modelwire/server/keys';
import { openPostgresStores } from '@modelwire/store-postgres';
import { toFile } from 'openai';
import { expect, test, vi } from 'vitest';
import { createBatch, inputLine, linesOf } from '../testing/batch-input.ts';
import { countingUpstream } from '../testing/counting-upstream.ts';
import type { CountingUpstream } from '../testing/counting-upstream.ts';
import type { ServerProcess } from '../testing/process.ts';
import { useSharedStorage } from '../testing/shared-storage.ts';
import { clientOf } from '../testing/test-server.ts';

const storage = useSharedStorage();

interface Replica extends ServerProcess {
  /** The prompts of this server. */
  readonly upstream: CountingUpstream;
}

/** Starts the program with its own folder and the shared database and bucket. */
async function startReplica(): Promise<Replica> {
  const upstream = await countingUpstream(10);
  const server = await storage.startProgram({ upstream, config: { batchConcurrency: 8, jobLeaseMs: 10_000 } });
  return { ...server, upstream };
}

const names = Array.from({ length: 1000 }, (_, n) => `line-${n}`);
const input = names.map((name) => inputLine(name, { model: 'counted' }));

async function waitUntilRunning({ url }: ServerProcess, id: string): Promise<void> {
  const counts = async () => (await clientOf(url).batches.retrieve(id)).request_counts?.completed;
  await vi.waitFor(async () => expect(await counts()).toBeGreaterThan(100), { timeout: 60_000, interval: 20 });
}

async function waitForCompletion({ url }: ServerProcess, id: string): Promise<void> {
  const client = clientOf(url);
  await vi.waitFor(async () => expect((await client.batches.retrieve(id)).status).toBe('completed'), {
    timeout: 60_000,
    interval: 50,
  });
  const { request_counts, output_file_id } = await client.batches.retrieve(id);
  expect(request_counts).toEqual({ total: 1000, completed: 1000, failed: 0 });
  expect((await linesOf(client, output_file_id)).map(({ custom_id }) => custom_id)).toEqual(names);
}

/** How often each prompt was sent, by all servers. */
function requestCounts(replicas: readonly Replica[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { upstream } of replicas)
    for (const [prompt, times] of upstream.requestCounts) counts.set(prompt, (counts.get(prompt) ?? 0) + times);
  return counts;
}

const sum = (counts: Iterable<number>): number => [...counts].reduce((total, count) => total + count, 0);

/** Blobs in the bucket that are neither referenced nor scheduled for deletion, and missing blobs of files; no server runs. */
async function findBlobDifferences(): Promise<{ readonly unreferenced: string[]; readonly missing: string[] }> {
  const stores = await openPostgresStores({ url: storage.postgres().url });
  const { files } = stores.project('default');
  const dueKeys = await stores.ledger.due({ withinMs: 2 * 86_400_000, limit: 1000 });
  const referencedKeys: string[] = [];
  const page = await files.list({ limit: 1000, order: 'asc', now: 0 });
  for (const { id } of page?.items ?? [])
    referencedKeys.push(...((await files.get(id))?.content ?? []).map(({ key }) => key));
  await stores.close();
  const there = await bucketKeys(storage.bucket());
  return {
    unreferenced: there.filter((key) => !referencedKeys.includes(key) && !dueKeys.includes(key)),
    missing: referencedKeys.filter((key) => !there.includes(key)),
  };
}

async function killAll(replicas: readonly Replica[]): Promise<void> {
  for (const one of replicas) one.kill('SIGKILL');
  await Promise.all(replicas.map(({ exited }) => exited));
}

test('another replica takes over the batch of a killed replica and does not repeat stored lines', async () => {
  const [one, two] = await Promise.all([startReplica(), startReplica()]);
  // The server that creates the job wakes its own worker first.
  const { id } = await createBatch(clientOf(one.url), input);
  await waitUntilRunning(two, id);
  // Either server may have claimed it first.
  const [runner, other] = one.upstream.requestCounts.size > 0 ? [one, two] : [two, one];
  expect(other.upstream.requestCounts.size).toBe(0);
  runner.kill('SIGKILL');
  await runner.exited;
  const killed = Date.now();
  const storedLines = (await clientOf(other.url).batches.retrieve(id)).request_counts?.completed ?? 0;
  // Its last request was still in transit when it was killed.
  const requestedOfRunner = sum(runner.upstream.requestCounts.values());
  await vi.waitFor(() => expect(other.upstream.requestCounts.size).toBeGreaterThan(0), {
    timeout: 60_000,
    interval: 10,
  });
  if (process.env['FIGURES'] === '1') process.stdout.write(`taken over after ${Date.now() - killed} ms\n`);
  await waitForCompletion(other, id);
  const all = requestCounts([one, two]);
  expect(all.size).toBe(1000);
  // Lines that were running or not yet stored, and no more: its last commit may have come after the check.
  expect(sum(all.values()) - 1000).toBeLessThanOrEqual(requestedOfRunner - storedLines);
  await killAll([other]);
  expect(await findBlobDifferences()).toEqual({ unreferenced: [], missing: [] });
}, 600_000);

test('a replica that shuts down releases its batch, and no line is repeated', async () => {
  const [one, two] = await Promise.all([startReplica(), startReplica()]);
  const { id } = await createBatch(clientOf(one.url), input);
  await waitUntilRunning(two, id);
  const [runner, other] = one.upstream.requestCounts.size > 0 ? [one, two] : [two, one];
  runner.kill('SIGTERM');
  await runner.exited;
  await waitForCompletion(other, id);
  const counts = requestCounts([one, two]);
  expect(counts.size).toBe(1000);
  // Running lines have ended, and their results were stored.
  expect([...counts.values()].filter((count) => count > 1)).toEqual([]);
}, 600_000);

test('an upload with parts on two replicas is completed on either, also if one is killed', async () => {
  const [one, two] = await Promise.all([startReplica(), startReplica()]);
  const [here, there] = [clientOf(one.url), clientOf(two.url)];
  const bytes = randomBytes(6 * 1024 * 1024);
  const size = bytes.length / 6;
  const init = { filename: 'parts.bin', mime_type: 'application/octet-stream', purpose: 'user_data' } as const;
  const { id } = await here.uploads.create({ ...init, bytes: bytes.length });
  const part_ids = await Promise.all(
    Array.from({ length: 6 }, async (_, place) => {
      const data = await toFile(bytes.subarray(place * size, (place + 1) * size), 'part');
      return (await (place % 2 === 0 ? here : there).uploads.parts.create(id, { data })).id;
    }),
  );
  const dropped = await there.uploads.create({ ...init, bytes: size });
  await here.uploads.parts.create(dropped.id, { data: await toFile(bytes.subarray(0, size), 'part') });
  await there.uploads.cancel(dropped.id);
  one.kill('SIGKILL');
  await one.exited;
  const md5 = createHash('md5').update(bytes).digest('hex');
  const { file } = await there.uploads.complete(id, { part_ids, md5 });
  const three = await startReplica();
  const content = await clientOf(three.url).files.content(file?.id ?? '');
  expect(Buffer.from(await content.arrayBuffer()).equals(bytes)).toBe(true);
  await killAll([two, three]);
  expect(await findBlobDifferences()).toEqual({ unreferenced: [], missing: [] });
}, 600_000);

test('the console shows the same requests of the last hour on every replica, also after all of them were killed', async () => {
  const replicas = await Promise.all([startReplica(), startReplica()]);
  const { key, record } = makeKey({ role: 'admin' });
  const stores = await openPostgresStores({ url: storage.postgres().url });
  await stores.keys.add(record);
  await stores.close();
  const totalOn = async ({ url }: ServerProcess) => {
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`${url}/console/api/activity?hours=1&model=counted`, { headers });
    return ((await response.json()) as { readonly total: { readonly requests: number } }).total;
  };
  const [{ requests: before }] = await Promise.all([totalOn(replicas[0]), totalOn(replicas[1])]);
  for (const [index, { url }] of replicas.entries())
    for (let request = 0; request < 4 + index; request++)
      await clientOf(url).chat.completions.create({ model: 'counted', messages: [{ role: 'user', content: 'Hi' }] });
  for (const replica of replicas)
    await expect.poll(async () => (await totalOn(replica)).requests, { timeout: 30_000 }).toBe(before + 9);
  const total = await totalOn(replicas[0]);
  expect(await totalOn(replicas[1])).toEqual(total);
  await killAll(replicas);
  expect(await totalOn(await startReplica())).toEqual(total);
}, 120_000);
