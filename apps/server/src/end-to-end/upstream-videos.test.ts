import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createUpstreamVideos } from '@modelwire/engine-upstream';
import { toFile } from 'openai';
import type OpenAI from 'openai';
import { expect, test } from 'vitest';
import { mp4Of } from '../testing/mp4.ts';
import { key } from '../testing/test-server.ts';
import { scriptedVideos } from '../testing/scripted-videos.ts';
import { serveVideos } from '../testing/video-server.ts';
import type { VideoServer } from '../testing/video-server.ts';

const png = Buffer.from('89504e470d0a1a0a0000000d4948445200000010000000100806000000', 'hex');

async function twoServers(apiKey = key) {
  const engine = scriptedVideos(['sketch']);
  const inner = await serveVideos(engine);
  const upstream = createUpstreamVideos({
    baseURL: `${inner.url}/v1`,
    apiKey,
    models: { ours: { upstreamModel: 'sketch', sizes: ['720x1280', '1280x720', '1024x1792'] } },
    pollMs: 30,
  });
  return { engine, inner, outer: await serveVideos(upstream) };
}

async function ended({ client }: VideoServer, id: string) {
  const over = async () => ['completed', 'failed'].includes((await client.videos.retrieve(id)).status);
  await expect.poll(over, { timeout: 60_000 }).toBe(true);
  return client.videos.retrieve(id);
}

test('renders a video on the upstream and copies it with its images', async () => {
  const { inner, outer, engine } = await twoServers();
  const video = await outer.client.videos.create({
    prompt: 'a boat',
    model: 'ours',
    size: '1280x720',
    seconds: '8',
    input_reference: { image_url: `data:image/png;base64,${png.toString('base64')}` },
  });
  expect(await ended(outer, video.id)).toMatchObject({
    status: 'completed',
    model: 'ours',
    size: '1280x720',
    seconds: '8',
  });
  expect(engine.calls[0]?.job).toMatchObject({
    model: 'sketch',
    width: 1280,
    seconds: 8,
    inputReference: { mediaType: 'image/png' },
  });
  // Its source may be deleted.
  for (const { id } of (await inner.client.videos.list()).data) await inner.client.videos.delete(id);
  expect(await (await outer.client.videos.downloadContent(video.id)).text()).toMatch(/^video of a boat, seed \d+$/);
  const thumbnail = await outer.client.videos.downloadContent(video.id, { variant: 'thumbnail' });
  expect([thumbnail.headers.get('content-type'), await thumbnail.text()]).toEqual(['image/webp', 'thumbnail']);
});

test('creates a remix on the upstream', async () => {
  const { inner, outer } = await twoServers();
  const source = await outer.client.videos.create({ prompt: 'a boat', model: 'ours' });
  await ended(outer, source.id);
  const remix = await outer.client.videos.remix(source.id, { prompt: 'a red boat' });
  expect((await ended(outer, remix.id)).status).toBe('completed');
  const [second, first] = (await inner.client.videos.list()).data;
  expect(second).toMatchObject({ prompt: 'a red boat', remixed_from_video_id: first?.id, size: '720x1280' });
  const longer = await outer.client.post<OpenAI.Video>(`/videos/${remix.id}/remix`, {
    body: { prompt: 'more', seconds: '8' },
  });
  expect((await ended(outer, longer.id)).seconds).toBe('8');
  expect((await inner.client.videos.list()).data[0]).toMatchObject({ seconds: '8', size: '720x1280' });
});

test('creates an extension on the upstream', async () => {
  const { inner, outer, engine } = await twoServers();
  const source = await outer.client.videos.create({ prompt: 'a boat', model: 'ours', seconds: '8' });
  await ended(outer, source.id);
  const extension = await outer.client.videos.extend({ video: { id: source.id }, prompt: 'it sinks', seconds: '4' });
  expect(await ended(outer, extension.id)).toMatchObject({ status: 'completed', seconds: '12' });
  const [second, first] = (await inner.client.videos.list()).data;
  expect(second).toMatchObject({ prompt: 'it sinks', remixed_from_video_id: first?.id, seconds: '12' });
  expect(engine.calls[1]?.job).toMatchObject({ seconds: 12, extensionSeconds: 4, source: { prompt: 'a boat' } });
});

test('sends an uploaded video to the upstream, to be edited or extended there', async () => {
  const { inner, outer } = await twoServers();
  const bytes = mp4Of({ width: 1280, height: 720, seconds: 8 });
  const video = () => toFile(bytes, 'boat.mp4', { type: 'video/mp4' });
  const extension = await outer.client.videos.extend({ video: await video(), prompt: 'it sinks', seconds: '4' });
  expect(await ended(outer, extension.id)).toMatchObject({ status: 'completed', seconds: '12', size: '1280x720' });
  const edit = await outer.client.videos.edit({ video: await video(), prompt: 'a red boat' });
  expect(await ended(outer, edit.id)).toMatchObject({ status: 'completed', seconds: '8' });
  const there = (await inner.client.videos.list()).data.map(({ prompt, seconds }) => `${prompt}: ${seconds} s`);
  expect(there).toEqual(['a red boat: 8 s', 'it sinks: 12 s']);
});

test('fails with the error of the upstream', async () => {
  const { outer } = await twoServers();
  const failed = await outer.client.videos.create({ prompt: 'fail', model: 'ours' });
  expect(await ended(outer, failed.id)).toMatchObject({
    status: 'failed',
    error: { code: 'too_dark', message: 'It is too dark to see.' },
  });
  // A size that we accept and the upstream does not.
  const refused = await outer.client.videos.create({ prompt: 'a', model: 'ours', size: '1024x1792' });
  expect((await ended(outer, refused.id)).error?.code).toBe('unsupported_value');
});

test('reports refused credentials without revealing them', async () => {
  const { outer } = await twoServers('a-wrong-key-123456');
  const { id } = await outer.client.videos.create({ prompt: 'a', model: 'ours' });
  const { error } = await ended(outer, id);
  expect(error?.code).toBe('upstream_authentication_failed');
  expect(error?.message).not.toContain('a-wrong-key');
});

test('relays progress and deletes a deleted video on the upstream', async () => {
  const { inner, outer, engine } = await twoServers();
  const { id } = await outer.client.videos.create({ prompt: 'wait', model: 'ours' });
  await expect.poll(async () => (await outer.client.videos.retrieve(id)).progress, { timeout: 60_000 }).toBe(10);
  await outer.client.videos.delete(id);
  await expect.poll(async () => (await inner.client.videos.list()).data.length, { timeout: 60_000 }).toBe(0);
  await expect.poll(() => engine.calls[0]?.aborted, { timeout: 60_000 }).toBe(true);
});

test('after a restart polls the same video instead of creating another one', async () => {
  const engine = scriptedVideos(['sketch']);
  const inner = await serveVideos(engine);
  const upstream = createUpstreamVideos({
    baseURL: `${inner.url}/v1`,
    apiKey: key,
    models: { sketch: {} },
    pollMs: 30,
  });
  const data = mkdtempSync(join(tmpdir(), 'modelwire-upstream-'));
  const first = await serveVideos(upstream, { data });
  const { id } = await first.client.videos.create({ prompt: 'wait' });
  await expect.poll(async () => (await first.client.videos.retrieve(id)).progress, { timeout: 60_000 }).toBe(10);
  await first.close();
  const second = await serveVideos(upstream, { data });
  await expect
    .poll(async () => (await second.client.videos.retrieve(id)).status, { timeout: 60_000 })
    .toBe('in_progress');
  const [there] = (await inner.client.videos.list()).data;
  await inner.client.videos.delete(there?.id ?? '');
  // It read that file: without it, it fails.
  expect((await ended(second, id)).status).toBe('failed');
  expect(engine.calls).toHaveLength(1);
});
