import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSqliteStores } from '@modelwire/store-sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { startProcess } from '../testing/process.ts';
import { clientOf } from '../testing/test-server.ts';

/** KILLS=50 for a longer run. */
const kills = Number(process.env['KILLS'] ?? 3);
/** A new video is created before each group of this many kills: one whose server crashes three times fails. */
const killsForOne = 2;

test(`after ${kills} kills during rendering each video is completed once`, { timeout: kills * 120_000 }, async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'modelwire-videos-crash-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  writeFileSync(join(cwd, 'modelwire.config.json'), JSON.stringify({ jobLeaseMs: 500 }));
  const ids: string[] = [];
  for (let kill = 0; kill < kills; kill++) {
    const server = await startProcess(cwd);
    const { videos } = clientOf(server.url);
    if (kill % killsForOne === 0) ids.push((await videos.create({ prompt: `a boat, number ${ids.length}` })).id);
    const current = ids.at(-1) ?? '';
    while ((await videos.retrieve(current)).status === 'queued') await sleep(20);
    await sleep(Math.random() * 6000);
    server.kill('SIGKILL');
    await server.exited;
  }

  const server = await startProcess(cwd);
  const { videos } = clientOf(server.url);
  const statuses = async () => Promise.all(ids.map(async (id) => (await videos.retrieve(id)).status));
  await expect.poll(statuses, { timeout: kills * 90_000, interval: 200 }).toEqual(ids.map(() => 'completed'));
  expect((await Array.fromAsync(videos.list({ order: 'asc' }))).map(({ id }) => id)).toEqual(ids);
  const digests = new Set<string>();
  for (const id of ids) {
    const bytes = new Uint8Array(await (await videos.downloadContent(id)).arrayBuffer());
    expect(new TextDecoder().decode(bytes.subarray(4, 8))).toBe('ftyp');
    digests.add(createHash('sha256').update(bytes).digest('hex'));
    expect((await videos.downloadContent(id, { variant: 'thumbnail' })).headers.get('content-type')).toBe('image/webp');
  }
  expect(digests.size).toBe(ids.length);
  server.kill('SIGTERM');
  await server.exited;
  expect(await unaccounted(cwd, ids)).toEqual([]);
});

/** Blobs that are neither referenced nor scheduled for deletion. */
async function unaccounted(cwd: string, ids: readonly string[]): Promise<string[]> {
  const stores = await openSqliteStores({ path: join(cwd, '.modelwire', 'modelwire.sqlite') });
  const known = new Set(await stores.ledger.due({ withinMs: 2 * 86_400_000, limit: 10_000 }));
  for (const id of ids) {
    const record = await stores.project('default').videos.get(id);
    for (const variant of Object.values(record?.contents ?? {})) for (const { key } of variant.content) known.add(key);
  }
  await stores.close();
  return readdirSync(join(cwd, '.modelwire', 'blobs'), { recursive: true, encoding: 'utf8' })
    .map((path) => basename(path).split('.', 1)[0] ?? '')
    .filter((name) => name.startsWith('blob_') && !known.has(name));
}
