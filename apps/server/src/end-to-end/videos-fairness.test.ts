import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Lease } from '@modelwire/ports';
import { expect, test } from 'vitest';
import { scriptedVideos } from '../testing/scripted-videos.ts';
import { serveVideos } from '../testing/video-server.ts';

const pollOptions = { timeout: 60_000, interval: 20 };

test('videos that wait for a busy engine do not block other engines or replicas', async () => {
  const data = mkdtempSync(join(tmpdir(), 'modelwire-videos-'));
  const slow = () => ({ ...scriptedVideos(['slow']), concurrency: 1 });
  const other = { ...scriptedVideos(['other']), concurrency: 1 };
  const [here, there] = [slow(), slow()];
  const first = await serveVideos(here, { data, videoEngines: [here, other] });
  const { videos } = first.client;
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) ids.push((await videos.create({ prompt: 'wait', model: 'slow' })).id);
  await expect.poll(() => here.calls.length, pollOptions).toBe(1);
  const { id } = await videos.create({ prompt: 'a boat', model: 'other' });
  await expect.poll(async () => (await videos.retrieve(id)).status, pollOptions).toBe('completed');

  const second = await serveVideos(there, { data });
  await expect.poll(() => there.calls.length, pollOptions).toBe(1);
  const rendered = [here.calls[0]?.job.id, there.calls[0]?.job.id];
  const waiting = ids.find((one) => !rendered.includes(one)) ?? '';
  expect(new Set(rendered).size).toBe(2);
  expect((await videos.retrieve(waiting)).status).toBe('queued');
  // The next video has its slot.
  await second.client.videos.delete(rendered[0] ?? '');
  await expect.poll(async () => (await videos.retrieve(waiting)).status, pollOptions).toBe('in_progress');
  expect(first.reported).toEqual([]);
});

test('videos that may have crashed a server, and wait to be rendered alone, do not block other engines', async () => {
  const data = mkdtempSync(join(tmpdir(), 'modelwire-videos-'));
  const [slow, other] = [scriptedVideos(['slow']), { ...scriptedVideos(['other']), concurrency: 1 }];
  const videoEngines = [{ ...slow, concurrency: 1 }, other];
  const before = await serveVideos(slow, { data, videoEngines, worker: false });
  const { jobs } = before.stores;
  const leases: Lease[] = [];
  for (let n = 0; n < 3; n++) {
    await before.client.videos.create({ prompt: 'wait', model: 'slow' });
    const lease = await jobs.claim({ kinds: ['video'], leaseMs: 60_000 });
    if (lease) leases.push(lease);
  }
  expect(leases).toHaveLength(3);
  for (const lease of leases) {
    // As after a crash of the server that rendered it.
    await jobs.note(lease, '{"crashes":[[0,0]],"alone":null}');
    await jobs.release(lease);
  }
  await before.close();
  const { client } = await serveVideos(slow, { data, videoEngines });
  await expect.poll(() => slow.calls.length, pollOptions).toBe(1);
  const { id } = await client.videos.create({ prompt: 'a boat', model: 'other' });
  await expect.poll(async () => (await client.videos.retrieve(id)).status, pollOptions).toBe('completed');
});
