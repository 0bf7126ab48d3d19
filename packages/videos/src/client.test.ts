import { createReadStream } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { collect, json, serveClient } from '@modelwire/core/testing';
import type { Respond } from '@modelwire/core/testing';
import { describe, expect, test } from 'vitest';
import { AbortError, BadRequestError, createVideos } from './index.ts';

const queued = { id: 'video_1', object: 'video', status: 'queued', progress: 0, model: 'm', mood: 'blue' };

async function serve(respond: Respond = (response) => json(response, queued)) {
  const { client: videos, recorded } = await serveClient(createVideos, respond);
  return { videos, recorded };
}

describe('create()', () => {
  test('sends JSON, also with a reference by ID', async () => {
    const { videos, recorded } = await serve();
    expect(await videos.create({ prompt: 'A boat', seconds: '4' })).toEqual(queued);
    await videos.create({ prompt: 'A boat', input_reference: { file_id: 'file-1' } });
    expect(recorded).toMatchObject([
      { method: 'POST', path: '/videos', json: { prompt: 'A boat', seconds: '4' } },
      { json: { prompt: 'A boat', input_reference: { file_id: 'file-1' } } },
    ]);
  });

  test('sends a form when the reference is bytes', async () => {
    const { videos, recorded } = await serve();
    const picture = new File([new Uint8Array([1, 2, 3])], 'boat.png', { type: 'image/png' });
    await videos.create({ prompt: 'A boat', size: '720x1280', input_reference: picture });
    expect(recorded[0]).toMatchObject({
      fields: { prompt: 'A boat', size: '720x1280' },
      files: { input_reference: { filename: 'boat.png', type: 'image/png', bytes: Buffer.from([1, 2, 3]) } },
    });
  });

  test('takes an image as a Node stream or as a Response', async () => {
    const { videos, recorded } = await serve();
    const path = fileURLToPath(import.meta.url);
    await videos.create({ prompt: 'A boat', input_reference: createReadStream(path, { end: 2 }) });
    const came = new Response(new Uint8Array([1, 2]), { headers: { 'content-type': 'image/png' } });
    await videos.create({ prompt: 'A boat', input_reference: came });
    expect(recorded.map(({ files }) => files['input_reference'])).toEqual([
      { filename: 'client.test.ts', type: 'application/octet-stream', bytes: Buffer.from('imp') },
      { filename: 'blob', type: 'image/png', bytes: Buffer.from([1, 2]) },
    ]);
  });
});

test('edit(), remix(), retrieve(), delete() and list() reach their endpoints', async () => {
  const { videos, recorded } = await serve((response, { path }) => {
    const list = { object: 'list', data: [queued], has_more: !path.includes('after=') };
    json(response, path.startsWith('/videos?') ? list : queued);
  });
  await videos.edit({ video: { id: 'video_1' }, prompt: 'At dawn' });
  await videos.remix('video_1', { prompt: 'At night' });
  await videos.retrieve('video_1');
  await videos.delete('video_1');
  expect(await collect(videos.list({ limit: 1 }))).toEqual([queued, queued]);
  expect(recorded.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /videos/edits',
    'POST /videos/video_1/remix',
    'GET /videos/video_1',
    'DELETE /videos/video_1',
    'GET /videos?limit=1',
    'GET /videos?limit=1&after=video_1',
  ]);
  expect(recorded[0]?.json).toEqual({ video: { id: 'video_1' }, prompt: 'At dawn' });
  expect(recorded[1]?.json).toEqual({ prompt: 'At night' });
});

test('an error response is a typed error', async () => {
  const { videos } = await serve((response) =>
    json(response, { error: { message: 'Queued.', code: 'invalid_state' } }, 400),
  );
  const failure = videos.remix('video_1', { prompt: 'x' });
  await expect(failure).rejects.toBeInstanceOf(BadRequestError);
  await expect(failure).rejects.toMatchObject({ code: 'invalid_state' });
});

describe('wait()', () => {
  test.each(['completed', 'failed'])('polls until the video is %s, and reports the progress', async (status) => {
    const { videos } = await serve((response, _, count) =>
      json(response, {
        ...queued,
        status: ['queued', 'napping', 'in_progress', status][count - 1],
        progress: count * 25,
      }),
    );
    const seen: number[] = [];
    const video = await videos.wait('video_1', { pollMs: 1, onUpdate: ({ progress }) => seen.push(progress) });
    expect([video.status, seen]).toEqual([status, [25, 50, 75, 100]]);
  });

  test('tolerates a temporary outage of the server, and aborts with the signal', async () => {
    const controller = new AbortController();
    const { videos } = await serve((response, _, count) => {
      if (count < 5) {
        response.destroy();
        return;
      }
      controller.abort();
      json(response, queued);
    });
    const waiting = videos.wait('video_1', { pollMs: 1, maxRetries: 0, signal: controller.signal });
    await expect(waiting).rejects.toBeInstanceOf(AbortError);
  });
});

test('downloadContent() sends the variant and resumes when the connection fails', async () => {
  const { videos, recorded } = await serve((response, { headers: { range } }) => {
    if (range === undefined) {
      response.writeHead(200, { 'content-length': 10, 'content-type': 'image/webp' });
      response.write('01234', () => setTimeout(() => response.destroy(), 5));
    } else {
      response.writeHead(206, { 'content-range': 'bytes 5-9/10' });
      response.end('56789');
    }
  });
  const content = await videos.downloadContent('video_1', { variant: 'thumbnail' });
  expect([content.headers.get('content-type'), await content.text()]).toEqual(['image/webp', '0123456789']);
  expect(recorded.map(({ path, headers }) => [path, headers.range])).toEqual([
    ['/videos/video_1/content?variant=thumbnail', undefined],
    ['/videos/video_1/content?variant=thumbnail', 'bytes=5-9'],
  ]);
});
