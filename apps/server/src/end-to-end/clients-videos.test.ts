import { BadRequestError, NotFoundError } from '@modelwire/videos';
import { expect, test } from 'vitest';
import { breakingProxy } from '../testing/breaking-proxy.ts';
import { createClients } from '../testing/clients.ts';
import { mp4Of } from '../testing/mp4.ts';
import { scriptedVideos } from '../testing/scripted-videos.ts';
import { serveVideos } from '../testing/video-server.ts';

const pollMs = 20;
const png = Buffer.from('89504e470d0a1a0a0000000d4948445200000010000000100806000000', 'hex');

test('create, wait and downloadContent: from a prompt to its bytes, with progress', async () => {
  const engine = scriptedVideos();
  const gate = Promise.withResolvers();
  const server = await serveVideos({
    ...engine,
    async render(job, context) {
      context.progress(40);
      await gate.promise;
      await engine.render(job, context);
    },
  });
  const { videos } = createClients(server.url);
  const { data: queued, requestId } = await videos
    .create({ prompt: 'a boat', seconds: '8', size: '1280x720' })
    .withResponse();
  expect(queued).toMatchObject({ object: 'video', status: 'queued', progress: 0, seconds: '8', size: '1280x720' });
  expect(requestId).toMatch(/^req_/);
  const seen: (number | null)[] = [];
  const done = await videos.wait(queued.id, {
    pollMs,
    maxPollMs: pollMs,
    onUpdate({ progress }) {
      seen.push(progress);
      if (progress === 40) gate.resolve(undefined);
    },
  });
  expect(done).toMatchObject({ id: queued.id, status: 'completed', progress: 100 });
  expect(seen.toSorted((a, b) => Number(a) - Number(b))).toEqual(seen);
  expect([seen.includes(40), seen.at(-1)]).toEqual([true, 100]);
  expect(await videos.retrieve(queued.id)).toEqual(done);

  const content = await videos.downloadContent(queued.id);
  expect(content.headers.get('content-type')).toBe('video/mp4');
  expect(await content.text()).toMatch(/^video of a boat, seed \d+$/);
  const start = await videos.downloadContent(queued.id, {}, { range: { start: 0, end: 5 } });
  expect([start.status, await start.text()]).toEqual([206, 'video']);
  const thumbnail = await videos.downloadContent(queued.id, { variant: 'thumbnail' });
  expect([thumbnail.headers.get('content-type'), await thumbnail.text()]).toEqual(['image/webp', 'thumbnail']);
  const absent = videos.downloadContent(queued.id, { variant: 'spritesheet' });
  await expect(absent).rejects.toMatchObject({ name: 'NotFoundError', param: 'variant' });
});

test('create accepts an input image as a Blob, a file ID or a URL', async () => {
  const engine = scriptedVideos();
  const server = await serveVideos(engine);
  const { videos, files } = createClients(server.url);
  const { id: file_id } = await files.create({ file: new File([png], 'a.png'), purpose: 'vision' });
  for (const input_reference of [
    new Blob([png], { type: 'image/png' }),
    { file_id },
    { image_url: `data:image/png;base64,${png.toString('base64')}` },
  ]) {
    const { id } = await videos.create({ prompt: 'a boat', seconds: '4', input_reference });
    expect((await videos.wait(id, { pollMs })).status).toBe('completed');
  }
  expect(engine.calls).toHaveLength(3);
  for (const { job } of engine.calls) {
    expect(job.seconds).toBe(4);
    expect(job.inputReference?.mediaType).toBe('image/png');
    expect(Buffer.from(job.inputReference?.bytes ?? []).equals(png)).toBe(true);
  }
});

test('remix, list and delete', async () => {
  const engine = scriptedVideos();
  const server = await serveVideos(engine);
  const { videos, sent } = createClients(server.url);
  const source = await videos.create({ prompt: 'a boat' });
  await videos.wait(source.id, { pollMs });
  const remix = await videos.remix(source.id, { prompt: 'a red boat' });
  expect(remix).toMatchObject({ remixed_from_video_id: source.id, prompt: 'a red boat', status: 'queued' });
  expect((await videos.wait(remix.id, { pollMs })).status).toBe('completed');
  const third = await videos.create({ prompt: 'a lake' });
  await videos.wait(third.id, { pollMs });

  const ids = [third.id, remix.id, source.id];
  const before = sent.length;
  expect((await Array.fromAsync(videos.list({ limit: 2 }))).map(({ id }) => id)).toEqual(ids);
  expect(sent.slice(before).map(({ path }) => path)).toEqual(['/videos?limit=2', `/videos?limit=2&after=${remix.id}`]);
  const oldest = await Array.fromAsync(videos.list({ limit: 1, order: 'asc' }).pages());
  expect(oldest.map(({ data }) => data[0]?.id)).toEqual(ids.toReversed());
  expect(await videos.list({ limit: 1 })).toMatchObject({ has_more: true });

  expect(await videos.delete(third.id)).toMatchObject({ id: third.id, deleted: true });
  await expect(videos.retrieve(third.id)).rejects.toBeInstanceOf(NotFoundError);
  await expect(videos.downloadContent(third.id)).rejects.toBeInstanceOf(NotFoundError);
  expect((await Array.fromAsync(videos.list())).map(({ id }) => id)).toEqual([remix.id, source.id]);
});

test('extend continues a completed video, or an uploaded one', async () => {
  const server = await serveVideos(scriptedVideos());
  const { videos } = createClients(server.url);
  const source = await videos.create({ prompt: 'a boat' });
  await videos.wait(source.id, { pollMs });
  const extension = await videos.extend({ video: { id: source.id }, prompt: 'it sinks', seconds: '8' });
  expect(extension).toMatchObject({ remixed_from_video_id: source.id, seconds: '12', status: 'queued' });
  expect((await videos.wait(extension.id, { pollMs })).status).toBe('completed');
  const video = new Blob([mp4Of({ width: 1280, height: 720, seconds: 4 })], { type: 'video/mp4' });
  expect(await videos.extend({ video, prompt: 'it sinks', seconds: '8' })).toMatchObject({ seconds: '12' });
  expect(await videos.edit({ video, prompt: 'a red boat' })).toMatchObject({ seconds: '4', size: '1280x720' });
});

test('delete aborts rendering and rejects wait', async () => {
  const engine = scriptedVideos();
  const server = await serveVideos(engine);
  const { videos } = createClients(server.url);
  const { id } = await videos.create({ prompt: 'wait' });
  await videos.wait(id, { pollMs, until: ({ status }) => status === 'in_progress' });
  const waiting = videos.wait(id, { pollMs });
  const told = expect(waiting).rejects.toBeInstanceOf(NotFoundError);
  await videos.delete(id);
  await told;
  await expect.poll(() => engine.calls[0]?.aborted).toBe(true);
});

test('wait returns a failed video with its error', async () => {
  const server = await serveVideos(scriptedVideos());
  const { videos } = createClients(server.url);
  const { id } = await videos.create({ prompt: 'fail' });
  const failed = await videos.wait(id, { pollMs });
  expect(failed).toMatchObject({ status: 'failed', error: { code: 'too_dark', message: 'It is too dark to see.' } });
  await expect(videos.downloadContent(id)).rejects.toMatchObject({ status: 400, code: 'invalid_state' });
  await expect(videos.remix(id, { prompt: 'x' })).rejects.toBeInstanceOf(BadRequestError);
});

test('downloadContent resumes after a lost connection', async () => {
  const bytes = Buffer.alloc(2_000_000, 'a film of some length, ');
  const engine = scriptedVideos();
  const server = await serveVideos({
    ...engine,
    render: (_, context) => context.save('video', 'video/mp4', new Blob([bytes]).stream()),
  });
  const proxy = await breakingProxy(server.url);
  const { videos, sent } = createClients(proxy.url);
  const { id } = await createClients(server.url).videos.create({ prompt: 'long' });
  await createClients(server.url).videos.wait(id, { pollMs });
  proxy.breaks.push({ sender: 'server', bytes: 700_000 }, { sender: 'server', bytes: 700_000 });
  const content = await videos.downloadContent(id, { variant: 'video' });
  expect(Buffer.from(await content.arrayBuffer()).equals(bytes)).toBe(true);
  expect(sent.map(({ path }) => path)).toEqual(Array.from({ length: 3 }, () => `/videos/${id}/content?variant=video`));
  expect(sent.map(({ range }) => range === null)).toEqual([true, false, false]);
});

test('throws a typed error with the parameter and the request ID', async () => {
  const server = await serveVideos(scriptedVideos());
  const { videos } = createClients(server.url);
  const requestId = expect.stringMatching(/^req_/) as string;
  for (const call of [
    () => videos.retrieve('video_none'),
    () => videos.delete('video_none'),
    () => videos.remix('video_none', { prompt: 'x' }),
    () => videos.downloadContent('video_none'),
    () => videos.wait('video_none'),
  ]) {
    await expect(call()).rejects.toMatchObject({ name: 'NotFoundError', param: 'video_id', requestId });
  }
  const absurd = videos.create({ prompt: 'a boat', size: '1792x1024' });
  await expect(absurd).rejects.toMatchObject({ name: 'BadRequestError', param: 'size', requestId });
  await expect(videos.create({ prompt: '' })).rejects.toMatchObject({ name: 'BadRequestError', param: 'prompt' });
  await expect(videos.list({ limit: -1 })).rejects.toMatchObject({ name: 'BadRequestError', param: 'limit' });
});
