import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import OpenAI, { toFile } from 'openai';
import type { VideoEngine } from '@modelwire/ports';
import { expect, test } from 'vitest';
import { mp4Of } from '../testing/mp4.ts';
import { key } from '../testing/test-server.ts';
import { scriptedVideos } from '../testing/scripted-videos.ts';
import { serveVideos } from '../testing/video-server.ts';
import type { VideoServer } from '../testing/video-server.ts';

const png = Buffer.from('89504e470d0a1a0a0000000d4948445200000010000000100806000000', 'hex');

async function until(server: VideoServer, id: string, status: string) {
  await expect.poll(async () => (await server.client.videos.retrieve(id)).status, { timeout: 60_000 }).toBe(status);
  return server.client.videos.retrieve(id);
}

test('queues and renders a video, and serves it completely, by range, and in each variant', async () => {
  const server = await serveVideos(scriptedVideos());
  const { client } = server;
  const queued = await client.videos.create({ prompt: 'a boat' });
  expect(queued).toMatchObject({
    object: 'video',
    model: 'scripted',
    status: 'queued',
    progress: 0,
    size: '720x1280',
    seconds: '4',
    prompt: 'a boat',
    completed_at: null,
    expires_at: null,
    remixed_from_video_id: null,
    error: null,
  });
  expect(queued.id).toMatch(/^video_/);
  const done = await until(server, queued.id, 'completed');
  expect(done.progress).toBe(100);
  expect(done.completed_at).toBeGreaterThanOrEqual(queued.created_at);
  expect(done.expires_at).toBe((done.completed_at ?? 0) + 604_800);
  const content = await client.videos.downloadContent(queued.id);
  expect(content.headers.get('content-type')).toBe('video/mp4');
  expect(content.headers.get('content-disposition')).toContain(`${queued.id}.mp4`);
  expect(await content.text()).toMatch(/^video of a boat, seed \d+$/);
  const part = await client.videos.downloadContent(queued.id, {}, { headers: { range: 'bytes=0-4' } });
  expect([part.status, await part.text()]).toEqual([206, 'video']);
  const thumbnail = await client.videos.downloadContent(queued.id, { variant: 'thumbnail' });
  expect([thumbnail.headers.get('content-type'), await thumbnail.text()]).toEqual(['image/webp', 'thumbnail']);
  await expect(client.videos.downloadContent(queued.id, { variant: 'spritesheet' })).rejects.toMatchObject({
    status: 404,
    param: 'variant',
  });
});

test('progress rises during rendering, and content is refused until completion', async () => {
  const server = await serveVideos(scriptedVideos());
  const { id } = await server.client.videos.create({ prompt: 'wait' });
  await expect.poll(async () => (await server.client.videos.retrieve(id)).progress, { timeout: 60_000 }).toBe(10);
  expect(await server.client.videos.retrieve(id)).toMatchObject({ status: 'in_progress' });
  await expect(server.client.videos.downloadContent(id)).rejects.toMatchObject({ status: 400, code: 'invalid_state' });
  await expect(server.client.videos.remix(id, { prompt: 'x' })).rejects.toMatchObject({
    status: 400,
    code: 'invalid_state',
  });
});

test('a model has sizes and lengths of its own, and may refuse remixes', async () => {
  const scripted = scriptedVideos(['wan']);
  const sizes = ['832x480', '480x832'];
  const models = () => scripted.models().map((model) => ({ ...model, sizes, seconds: ['5'], remix: false }));
  const server = await serveVideos({ ...scripted, models });
  const { id, size, seconds } = await server.client.videos.create({ prompt: 'a boat' });
  expect({ size, seconds }).toEqual({ size: '832x480', seconds: '5' });
  const create = (more: object) => server.client.videos.create({ prompt: 'a boat', ...more });
  expect(await create({ size: '480x832', seconds: '5' })).toMatchObject({ size: '480x832' });
  await expect(create({ size: '720x1280' })).rejects.toMatchObject({
    ...{ status: 400, param: 'size' },
    message: expect.stringContaining("the model 'wan' supports '832x480', '480x832'") as string,
  });
  for (const wrong of [
    { size: '832' },
    { size: '832x480\n' },
    { size: '0x480' },
    { seconds: '-5' },
    { seconds: '5.0' },
  ])
    await expect(create(wrong)).rejects.toMatchObject({ status: 400, param: Object.keys(wrong)[0] });
  await until(server, id, 'completed');
  await expect(server.client.videos.remix(id, { prompt: 'x' })).rejects.toMatchObject({
    ...{ status: 400, code: 'unsupported_parameter', param: 'model' },
    message: expect.stringContaining("The model 'wan' cannot start from a video.") as string,
  });
  await expect(server.client.videos.edit({ video: { id }, prompt: 'x' })).rejects.toMatchObject({
    ...{ status: 400, code: 'unsupported_parameter', param: 'model' },
  });
});

test('a remix inherits seed, size, seconds and model, and names its source', async () => {
  const engine = scriptedVideos();
  const server = await serveVideos(engine);
  const { client } = server;
  const source = await client.videos.create({ prompt: 'a boat', size: '1280x720', seconds: '8' });
  await until(server, source.id, 'completed');
  const remix = await client.videos.remix(source.id, { prompt: 'a red boat' });
  expect(remix).toMatchObject({
    status: 'queued',
    progress: 0,
    remixed_from_video_id: source.id,
    size: '1280x720',
    seconds: '8',
    model: 'scripted',
    prompt: 'a red boat',
  });
  await until(server, remix.id, 'completed');
  const [first, second] = engine.calls;
  expect(second?.job.seed).toBe(first?.job.seed);
  expect(second?.job.source).toMatchObject({
    id: source.id,
    prompt: 'a boat',
    seed: first?.job.seed,
    source: undefined,
  });
  expect([second?.job.width, second?.job.height, second?.job.seconds]).toEqual([1280, 720, 8]);
  const again = await fetch(`${server.url}/v1/videos/${remix.id}/remix`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: form({ prompt: 'once more', size: '720x1280', seconds: '4' }),
  });
  const third = (await again.json()) as OpenAI.Video;
  expect(third).toMatchObject({ size: '720x1280', seconds: '4', remixed_from_video_id: remix.id });
  await until(server, third.id, 'completed');
  expect(engine.calls[2]?.job.source).toMatchObject({ id: remix.id, source: { id: source.id } });
});

test('an edit is a remix of the video that its body names', async () => {
  const engine = scriptedVideos();
  const server = await serveVideos(engine);
  const { videos } = server.client;
  const source = await videos.create({ prompt: 'a boat', size: '1280x720', seconds: '8' });
  await until(server, source.id, 'completed');
  const edit = await videos.edit({ video: { id: source.id }, prompt: 'a red boat' });
  const { model, size, seconds } = source;
  expect(edit).toMatchObject({ status: 'queued', remixed_from_video_id: source.id, model, size, seconds });
  await until(server, edit.id, 'completed');
  const [first, second] = engine.calls;
  expect(second?.job).toMatchObject({ prompt: 'a red boat', seed: first?.job.seed, source: { id: source.id } });
});

test('an extension has the length of its source and of the new part, and the model of the source', async () => {
  const engine = scriptedVideos();
  const server = await serveVideos(engine);
  const { videos } = server.client;
  const source = await videos.create({ prompt: 'a boat', size: '1280x720', seconds: '8' });
  await until(server, source.id, 'completed');
  const extension = await videos.extend({ video: { id: source.id }, prompt: 'it sinks', seconds: '4' });
  const { model, size } = source;
  expect(extension).toMatchObject({
    ...{ status: 'queued', progress: 0, remixed_from_video_id: source.id },
    ...{ model, size, seconds: '12', prompt: 'it sinks' },
  });
  await until(server, extension.id, 'completed');
  // 12 seconds are no length of the model: only the new part must be one.
  const longest = await videos.extend({ video: { id: extension.id }, prompt: 'it rests', seconds: '8' });
  expect((await until(server, longest.id, 'completed')).seconds).toBe('20');
  const [first, second, third] = engine.calls.map(({ job }) => job);
  expect(second).toMatchObject({ seconds: 12, extensionSeconds: 4, seed: first?.seed, source: { id: source.id } });
  expect(third).toMatchObject({ seconds: 20, extensionSeconds: 8, source: { seconds: 12, extensionSeconds: 4 } });
});

test('a remix without a length has the shortest one that its source fits into', async () => {
  const scripted = scriptedVideos();
  const models = () => scripted.models().map((model) => ({ ...model, seconds: ['10', '4'] }));
  const server = await serveVideos({ ...scripted, models });
  const { videos } = server.client;
  const { id } = await videos.create({ prompt: 'a boat', seconds: '4' });
  await until(server, id, 'completed');
  const extend = async (source: string) => {
    const extension = await videos.extend({ video: { id: source }, prompt: 'it sinks', seconds: '4' });
    return (await until(server, extension.id, 'completed')).id;
  };
  const eight = await extend(id);
  expect((await videos.edit({ video: { id: eight }, prompt: 'a red boat' })).seconds).toBe('10');
  expect((await videos.remix(eight, { prompt: 'a red boat' })).seconds).toBe('10');
  const twelve = await extend(eight);
  const refusal = { status: 400, code: 'unsupported_value', param: 'video' };
  await expect(videos.edit({ video: { id: twelve }, prompt: 'a red boat' })).rejects.toMatchObject(refusal);
  await expect(videos.remix(twelve, { prompt: 'a red boat' })).rejects.toMatchObject(refusal);
});

test('an extension is refused if its video is unknown or unfinished, or its model cannot do it', async () => {
  const scripted = scriptedVideos();
  const models = () => scripted.models().map((model) => ({ ...model, extend: false }));
  const server = await serveVideos({ ...scripted, models });
  const { videos } = server.client;
  const { id } = await videos.create({ prompt: 'wait' });
  const extend = (video: string, seconds: OpenAI.VideoSeconds = '4') =>
    videos.extend({ video: { id: video }, prompt: 'x', seconds });
  await expect(extend('video_none')).rejects.toMatchObject({ status: 404, param: 'video.id' });
  await expect(extend(id)).rejects.toMatchObject({ status: 400, code: 'invalid_state' });
  const { id: done } = await videos.create({ prompt: 'a boat' });
  await until(server, done, 'completed');
  await expect(extend(done)).rejects.toMatchObject({
    ...{ status: 400, code: 'unsupported_parameter', param: 'model' },
    message: expect.stringContaining("The model 'scripted' cannot continue a video.") as string,
  });
  await expect(extend(done, '12')).rejects.toMatchObject({ status: 400, code: 'unsupported_value', param: 'seconds' });
});

test('an extension beyond the maximum length of its model is refused at once, by its length', async () => {
  const scripted = scriptedVideos();
  const models = () => scripted.models().map((model) => ({ ...model, maxSeconds: 13 }));
  const server = await serveVideos({ ...scripted, models });
  const { videos } = server.client;
  const { id } = await videos.create({ prompt: 'a boat', seconds: '8' });
  await until(server, id, 'completed');
  const extend = (seconds: OpenAI.VideoSeconds) => videos.extend({ video: { id }, prompt: 'it sinks', seconds });
  await expect(extend('8')).rejects.toMatchObject({
    ...{ status: 400, code: 'unsupported_value', param: 'seconds' },
    message: expect.stringContaining(
      "'seconds'. The video would be 16 seconds long; the model 'scripted' makes videos of at most 13 seconds.",
    ) as string,
  });
  expect(scripted.calls).toHaveLength(1);
  expect((await extend('4')).seconds).toBe('12');
});

test('an edit is refused if its video is unknown, unfinished, or not a reference', async () => {
  const { client } = await serveVideos(scriptedVideos());
  const { id } = await client.videos.create({ prompt: 'wait' });
  const refusal = (video: OpenAI.VideoEditParams['video']) =>
    expect(client.videos.edit({ video, prompt: 'x' })).rejects;
  await refusal({ id }).toMatchObject({ status: 400, code: 'invalid_state' });
  await refusal({ id: 'video_none' }).toMatchObject({ status: 404, param: 'video.id' });
  await refusal(new File(['bytes'], 'boat.mp4')).toMatchObject({ status: 400, param: 'video' });
  // A form that names no video and has no file.
  await refusal(new File([], '')).toMatchObject({ status: 400, param: 'video' });
});

test('an uploaded video is edited and extended by a model that reads videos', async () => {
  const scripted = scriptedVideos(['storyteller', 'reader']);
  const sources: string[] = [];
  const engine: VideoEngine = {
    ...scripted,
    models: () => scripted.models().map((model) => ({ ...model, videoInput: model.id === 'reader' })),
    async render(job, context) {
      const { uploadedSource } = job;
      if (uploadedSource) sources.push(Buffer.concat(await Array.fromAsync(uploadedSource.read())).toString('latin1'));
      await scripted.render(job, context);
    },
  };
  const data = mkdtempSync(join(tmpdir(), 'modelwire-uploaded-'));
  const server = await serveVideos(engine, { data });
  const { videos } = server.client;
  const file = mp4Of({ width: 1280, height: 720, seconds: 5 });
  const video = () => toFile(file, 'boat.mp4', { type: 'video/mp4' });
  const edit = await videos.edit({ video: await video(), prompt: 'a red boat' });
  expect(edit).toMatchObject({ model: 'reader', size: '1280x720', seconds: '8', remixed_from_video_id: null });
  const extension = await videos.extend({ video: await video(), prompt: 'it sinks', seconds: '4' });
  expect(extension).toMatchObject({ model: 'reader', size: '1280x720', seconds: '9', remixed_from_video_id: null });
  for (const { id } of [edit, extension]) await until(server, id, 'completed');
  expect(sources).toEqual([file.toString('latin1'), file.toString('latin1')]);
  expect(scripted.calls[1]?.job).toMatchObject({ seconds: 9, extensionSeconds: 4, source: undefined });
  const small = videos.edit({ video: await toFile(mp4Of({ width: 64, height: 64, seconds: 5 })), prompt: 'x' });
  await expect(small).rejects.toMatchObject({ status: 400, code: 'unsupported_value', param: 'video' });
  const long = videos.edit({ video: await toFile(mp4Of({ width: 1280, height: 720, seconds: 13 })), prompt: 'x' });
  await expect(long).rejects.toMatchObject({ status: 400, code: 'unsupported_value', param: 'video' });
});

test('an uploaded video is refused if it is too long to state', async () => {
  const { client } = await serveVideos(scriptedVideos());
  const extend = async (file: Buffer) =>
    client.videos.extend({ video: await toFile(file, 'boat.mp4'), prompt: 'x', seconds: '4' });
  const file = mp4Of({ width: 1280, height: 720, seconds: 9999 });
  expect((await extend(file)).seconds).toBe('10003');
  // The time scale becomes one tick per second.
  file.writeUInt32BE(1, file.indexOf('mvhd') + 4 + 12);
  await expect(extend(file)).rejects.toMatchObject({ status: 400, code: 'invalid_value', param: 'video' });
});

test('an uploaded video is refused if no model reads videos', async () => {
  const scripted = scriptedVideos();
  const models = () => scripted.models().map((model) => ({ ...model, videoInput: false }));
  const { client } = await serveVideos({ ...scripted, models });
  const video = await toFile(mp4Of({ width: 1280, height: 720, seconds: 5 }), 'boat.mp4');
  await expect(client.videos.extend({ video, prompt: 'x', seconds: '4' })).rejects.toMatchObject({
    ...{ status: 400, code: 'unsupported_parameter', param: 'video' },
    message: expect.stringContaining('No model of this server continues an uploaded video.') as string,
  });
});

test('accepts an input image as a form file, a file ID and a data URL', async () => {
  const engine = scriptedVideos();
  const server = await serveVideos(engine);
  const { client } = server;
  const file = await client.files.create({ file: await toFile(png, 'a.png'), purpose: 'vision' });
  const references = [
    await toFile(png, 'start.png', { type: 'image/png' }),
    { file_id: file.id },
    { image_url: `data:image/png;base64,${png.toString('base64')}` },
  ];
  for (const input_reference of references) {
    const { id } = await client.videos.create({ prompt: 'a boat', input_reference });
    await until(server, id, 'completed');
  }
  await client.files.delete(file.id);
  expect(engine.calls.map(({ job }) => job.inputReference?.mediaType)).toEqual(['image/png', 'image/png', 'image/png']);
  expect(engine.calls.every(({ job }) => Buffer.from(job.inputReference?.bytes ?? []).equals(png))).toBe(true);
});

test('an engine error fails the video without revealing internal details', async () => {
  const server = await serveVideos(scriptedVideos());
  const failed = async (prompt: string) => {
    const { id } = await server.client.videos.create({ prompt });
    return until(server, id, 'failed');
  };
  expect(await failed('fail')).toMatchObject({
    error: { code: 'too_dark', message: 'It is too dark to see.' },
    completed_at: null,
  });
  expect((await failed('crash')).error).toEqual({
    code: 'rendering_failed',
    message: 'The video could not be rendered.',
  });
  expect((await failed('nothing')).error).toEqual({
    code: 'rendering_failed',
    message: 'The model returned no video.',
  });
  expect(server.reported).toEqual(['a video could not be rendered']);
});

test('deleting a video aborts rendering and deletes its contents', async () => {
  const engine = scriptedVideos();
  const server = await serveVideos(engine);
  const { client } = server;
  const done = await client.videos.create({ prompt: 'a boat' });
  await until(server, done.id, 'completed');
  const running = await client.videos.create({ prompt: 'wait' });
  await until(server, running.id, 'in_progress');
  expect(await client.videos.delete(running.id)).toEqual({ id: running.id, object: 'video.deleted', deleted: true });
  await expect.poll(() => engine.calls[1]?.aborted, { timeout: 60_000 }).toBe(true);
  await client.videos.delete(done.id);
  for (const { id } of [done, running]) {
    await expect(client.videos.retrieve(id)).rejects.toMatchObject({ status: 404, code: 'not_found' });
    await expect(client.videos.delete(id)).rejects.toMatchObject({ status: 404 });
  }
  // Two contents of a record. The first attempt's, which another replaced, may be removed by now.
  const due = async () => (await server.stores.ledger.due({ withinMs: 700_000, limit: 10 })).length;
  await expect.poll(due, { timeout: 60_000 }).toBeGreaterThanOrEqual(2);
});

test('lists the videos of the project in pages, newest first', async () => {
  const server = await serveVideos(scriptedVideos(), {
    keys: { authenticate: (given) => ({ keyId: given, project: given === key ? 'ours' : 'theirs' }) },
  });
  const ids: string[] = [];
  for (const prompt of ['a', 'b', 'c']) ids.push((await server.client.videos.create({ prompt })).id);
  const others = new OpenAI({ apiKey: 'another-key-12345', baseURL: `${server.url}/v1`, maxRetries: 0 });
  expect((await Array.fromAsync(server.client.videos.list({ limit: 2 }))).map(({ id }) => id)).toEqual(
    ids.toReversed(),
  );
  expect((await Array.fromAsync(server.client.videos.list({ order: 'asc' }))).map(({ id }) => id)).toEqual(ids);
  expect((await others.videos.list()).data).toEqual([]);
  for (const call of [
    () => others.videos.retrieve(ids[0] ?? ''),
    () => others.videos.delete(ids[0] ?? ''),
    () => others.videos.downloadContent(ids[0] ?? ''),
    () => others.videos.edit({ video: { id: ids[0] ?? '' }, prompt: 'x' }),
    () => others.videos.remix(ids[0] ?? '', { prompt: 'x' }),
  ]) {
    await expect(call()).rejects.toMatchObject({
      ...{ status: 404, code: 'not_found', param: expect.stringMatching(/^video[_.]id$/) as string },
    });
  }
});

test.each([
  ['no prompt', {}, 'prompt', 'missing_required_parameter'],
  ['an empty prompt', { prompt: '' }, 'prompt', 'empty_string'],
  ['a prompt that is too long', { prompt: 'a'.repeat(32_001) }, 'prompt', 'string_above_max_length'],
  ['an invalid size', { prompt: 'a', size: '1x1' }, 'size', 'invalid_value'],
  ['a size that the model does not support', { prompt: 'a', size: '1024x1792' }, 'size', 'unsupported_value'],
  ['a duration that the model does not support', { prompt: 'a', seconds: '12' }, 'seconds', 'unsupported_value'],
  ['an unknown model', { prompt: 'a', model: 'sora' }, 'model', 'model_not_found'],
  ['an unknown field', { prompt: 'a', fps: 24 }, 'fps', 'unknown_parameter'],
  ['a missing file', { prompt: 'a', input_reference: { file_id: 'file-x' } }, 'input_reference.file_id', 'not_found'],
  [
    'an image URL instead of a data URL',
    { prompt: 'a', input_reference: { image_url: 'https://example.com/a.png' } },
    'input_reference.image_url',
    'unsupported_value',
  ],
  [
    'data that is not an image',
    { prompt: 'a', input_reference: { image_url: 'data:image/png;base64,aGVsbG8=' } },
    'input_reference.image_url',
    'invalid_image',
  ],
  [
    'two references',
    { prompt: 'a', input_reference: { image_url: 'data:image/png;base64,aGVsbG8=', file_id: 'file-x' } },
    'input_reference',
    'invalid_value',
  ],
  [
    'an image for a model without image input',
    { prompt: 'a', model: 'blind', input_reference: { image_url: 'data:image/png;base64,aGVsbG8=' } },
    'input_reference',
    'unsupported_parameter',
  ],
])('refuses %s by name', async (_, body, param, code) => {
  const server = await serveVideos(scriptedVideos(['scripted', 'blind']));
  const response = await fetch(`${server.url}/v1/videos`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(code === 'model_not_found' || code === 'not_found' ? 404 : 400);
  expect(await response.json()).toMatchObject({ error: { param, code, type: 'invalid_request_error' } });
});

test('a server that shuts down releases its videos, and the next one renders them', async () => {
  const data = mkdtempSync(join(tmpdir(), 'modelwire-videos-'));
  const first = await serveVideos(scriptedVideos(), { data });
  const waiting = await first.client.videos.create({ prompt: 'wait' });
  await until(first, waiting.id, 'in_progress');
  await first.close();
  const scripted = scriptedVideos();
  const engine = {
    ...scripted,
    render: (...[job, context]: Parameters<typeof scripted.render>) =>
      scripted.render({ ...job, prompt: 'at last' }, context),
  };
  const second = await serveVideos(engine, { data });
  expect((await until(second, waiting.id, 'completed')).progress).toBe(100);
});

function form(fields: Readonly<Record<string, string>>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
}
