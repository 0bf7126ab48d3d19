import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scriptedVideos } from '../testing/scripted-videos.ts';
import { serveVideos } from '../testing/video-server.ts';

const pollOptions = { timeout: 60_000, interval: 20 };
const folder = (): string => mkdtempSync(join(tmpdir(), 'modelwire-videos-'));

test.each([
  [49, { status: 'completed', error: null }, 1],
  [50, { status: 'failed', error: { code: 'too_many_attempts' } }, 0],
] as const)('a video that was begun %i times before ends as %o', async (times, ends, calls) => {
  const data = folder();
  const { client, stores } = await serveVideos(scriptedVideos(), { data, worker: false });
  const { id } = await client.videos.create({ prompt: 'a boat' });
  for (let n = 0; n < times; n++) {
    const lease = await stores.jobs.claim({ kinds: ['video'], leaseMs: 60_000 });
    if (lease) await stores.jobs.release(lease);
  }
  const engine = scriptedVideos();
  await serveVideos(engine, { data });
  await expect.poll(() => client.videos.retrieve(id), pollOptions).toMatchObject(ends);
  expect(engine.calls).toHaveLength(calls);
});

test('a video that was rendering in three crashes fails and is not rendered again', async () => {
  const data = folder();
  const { client, stores } = await serveVideos(scriptedVideos(), { data, worker: false });
  const { id } = await client.videos.create({ prompt: 'a boat' });
  const { jobs } = stores;
  const { videos } = stores.project('default');
  // The records that a worker leaves when an engine crashes the process: an expired lease and, from the second time on, suspects.
  for (const crashes of [0, 1, 2]) {
    const lease = await jobs.claim({ kinds: ['video'], leaseMs: 60_000 });
    const record = await videos.get(id);
    if (!lease || !record) throw new Error('no video to render');
    await videos.update({ ...record.video, status: 'in_progress' }, { lease });
    if (crashes > 0) await jobs.note(lease, JSON.stringify({ crashes: [[0, crashes]], alone: 0 }));
    await jobs.renew(lease, 0);
  }
  const engine = scriptedVideos();
  await serveVideos(engine, { data });
  const ends = { status: 'failed', error: { code: 'worker_crashed' } };
  await expect.poll(() => client.videos.retrieve(id), pollOptions).toMatchObject(ends);
  expect(engine.calls).toHaveLength(0);
});

test('a remix whose source is deleted before rendering fails with source_deleted', async () => {
  const data = folder();
  const first = await serveVideos(scriptedVideos(), { data });
  const source = await first.client.videos.create({ prompt: 'a boat' });
  await expect.poll(async () => (await first.client.videos.retrieve(source.id)).status, pollOptions).toBe('completed');
  await first.close();
  const { client } = await serveVideos(scriptedVideos(), { data, worker: false });
  const { id } = await client.videos.remix(source.id, { prompt: 'a red boat' });
  await client.videos.delete(source.id);
  const engine = scriptedVideos();
  await serveVideos(engine, { data });
  const ends = { status: 'failed', error: { code: 'source_deleted' } };
  await expect.poll(() => client.videos.retrieve(id), pollOptions).toMatchObject(ends);
  expect(engine.calls).toEqual([]);
});
