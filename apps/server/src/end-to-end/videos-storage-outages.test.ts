import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFsBlobs } from '@modelwire/blobs-fs';
import type { Blobs, Stores, VideoEngine } from '@modelwire/ports';
import { openSqliteStores } from '@modelwire/store-sqlite';
import { toFile } from 'openai';
import { expect, onTestFinished, test } from 'vitest';
import { scriptedVideos } from '../testing/scripted-videos.ts';
import { serveVideos } from '../testing/video-server.ts';

const pollOptions = { timeout: 60_000, interval: 20 };
const png = Buffer.from('89504e470d0a1a0a0000000d4948445200000010000000100806000000', 'hex');

/** Storage that fails this many times, once enabled. */
async function openFailingStorage() {
  const data = mkdtempSync(join(tmpdir(), 'modelwire-videos-'));
  const [real, bytes] = [
    await openSqliteStores({ path: join(data, 'modelwire.sqlite') }),
    await openFsBlobs({ path: join(data, 'blobs') }),
  ];
  onTestFinished(async () => {
    await real.close();
    await bytes.close();
  });
  const failuresLeft = { updates: 0, reads: 0 };
  const stores: Stores = {
    ...real,
    project(id) {
      const project = real.project(id);
      const update: typeof project.videos.update = async (video, init) => {
        if (failuresLeft.updates-- > 0) throw new Error('no connection');
        return project.videos.update(video, init);
      };
      return { ...project, videos: { ...project.videos, update } };
    },
  };
  const blobs: Blobs = {
    ...bytes,
    async *read(key, range) {
      if (failuresLeft.reads-- > 0) throw new Error('no connection');
      yield* bytes.read(key, range);
    },
  };
  return { data, stores, blobs, failuresLeft };
}

/** Reads the whole source of a remix before it renders. */
function sourceReadingEngine(): VideoEngine {
  const engine = scriptedVideos();
  return {
    ...engine,
    async render(job, context) {
      if (job.source) await Array.fromAsync(job.source.read('video'));
      await engine.render(job, context);
    },
  };
}

test('a video is rendered later if the database is not writable at its start', async () => {
  const { failuresLeft, ...storage } = await openFailingStorage();
  const { client, reported } = await serveVideos(scriptedVideos(), storage);
  failuresLeft.updates = 2;
  const { id } = await client.videos.create({ prompt: 'a boat' });
  await expect.poll(() => client.videos.retrieve(id), pollOptions).toMatchObject({ status: 'completed', error: null });
  expect(reported).toContain('video job failed, it will be retried');
});

test('a video is rendered later if its input image is temporarily unreadable', async () => {
  const { failuresLeft, ...storage } = await openFailingStorage();
  let ready = false;
  const { client } = await serveVideos(scriptedVideos(), { ...storage, worker: () => ready });
  const { id } = await client.videos.create({
    prompt: 'a boat',
    input_reference: await toFile(png, 'a.png', { type: 'image/png' }),
  });
  failuresLeft.reads = 2;
  ready = true;
  await expect.poll(() => client.videos.retrieve(id), pollOptions).toMatchObject({ status: 'completed', error: null });
});

test('a remix is rendered later if its source is temporarily unreadable', async () => {
  const { failuresLeft, ...storage } = await openFailingStorage();
  const { client } = await serveVideos(sourceReadingEngine(), storage);
  const source = await client.videos.create({ prompt: 'a boat' });
  await expect.poll(async () => (await client.videos.retrieve(source.id)).status, pollOptions).toBe('completed');
  failuresLeft.reads = 2;
  const { id } = await client.videos.remix(source.id, { prompt: 'a red boat' });
  await expect.poll(() => client.videos.retrieve(id), pollOptions).toMatchObject({ status: 'completed', error: null });
});
