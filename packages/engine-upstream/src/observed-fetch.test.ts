import type { ServerResponse } from 'node:http';
import { createVideos } from '@modelwire/videos';
import { RequestError, VideoError } from '@modelwire/ports';
import type { UpstreamObserver, VideoContext, VideoJob } from '@modelwire/ports';
import { expect, onTestFinished, test } from 'vitest';
import { fakeServer } from '../test/fake-server.ts';
import type { RequestHandler } from '../test/fake-server.ts';
import { observedFetch } from './observed-fetch.ts';
import { createUpstreamVideos } from './videos/upstream-videos.ts';

const job: VideoJob = {
  ...{ id: 'video_1', model: 'm', prompt: 'a boat', width: 720, height: 1280, seconds: 4, seed: 1 },
  ...{ extensionSeconds: undefined, uploadedSource: undefined, inputReference: undefined, source: undefined },
};
const defaultMessage = 'The model server failed to render the video.';
const video = { id: 'theirs', object: 'video', model: 'there', status: 'completed', progress: 100, created_at: 1 };

function respondWith(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'retry-after-ms': '1' });
  response.end(JSON.stringify(body));
}

const renderVideo: RequestHandler = (response, { path = '' }) => {
  if (path.endsWith('/content?variant=video')) response.writeHead(200, { 'content-type': 'video/mp4' }).end('video');
  else if (path.includes('/content')) respondWith(response, 404, {});
  else respondWith(response, 200, video);
};

/** Starts an upstream, and an engine in front of it whose attempts are recorded. */
async function setUp(handler: RequestHandler) {
  const fake = await fakeServer(handler);
  onTestFinished(() => fake.close());
  const attempts: string[] = [];
  const reported: string[] = [];
  const controller = new AbortController();
  const observer: UpstreamObserver = {
    startUpstreamAttempt({ upstream, model, method, path, number }) {
      const index = attempts.push('not ended') - 1;
      return {
        headers: { traceparent: `trace-${index}`, tracestate: 'vendor=1' },
        end({ status, failure, aborted }) {
          const outcome = aborted ? 'aborted' : (failure ?? 'succeeded');
          expect(attempts[index]).toBe('not ended');
          attempts[index] = [upstream, model, method, path, number, status ?? '-', outcome].join(' ');
        },
      };
    },
  };
  const context: VideoContext = {
    signal: controller.signal,
    checkpoint: undefined,
    progress: () => undefined,
    saveCheckpoint: async () => undefined,
    async save(_variant, _mediaType, bytes) {
      await Array.fromAsync(bytes);
    },
    observer,
    reportUpstream(name, failure) {
      if (failure !== undefined) reported.push(`${name}: ${failure}`);
    },
  };
  const engine = createUpstreamVideos({
    ...{ name: 'box', baseURL: fake.baseURL, apiKey: 'secret-key', pollMs: 1 },
    models: { m: { upstreamModel: 'there' } },
  });
  return {
    ...{ attempts, reported, requests: fake.requests, controller, observer, baseURL: fake.baseURL },
    render: (init?: Partial<VideoContext>, renderedJob = job) => engine.render(renderedJob, { ...context, ...init }),
    /** Requests the video without the engine. */
    fetchObserved(isExpectedStatus: () => boolean = () => false) {
      const fetch = observedFetch({ upstream: 'box', model: 'there', observer, isExpectedStatus });
      return fetch(`${fake.baseURL}/videos/theirs`, { method: 'GET', headers: {} });
    },
  };
}

test('each request of a video is an attempt with trace headers, and a missing thumbnail is not a failure', async () => {
  const { attempts, reported, requests, render } = await setUp(renderVideo);
  await render();
  expect(attempts).toEqual([
    'box there POST /v1/videos 1 200 succeeded',
    'box there GET /v1/videos/theirs 1 200 succeeded',
    'box there GET /v1/videos/theirs/content 1 200 succeeded',
    'box there GET /v1/videos/theirs/content 1 404 succeeded',
    'box there GET /v1/videos/theirs/content 1 404 succeeded',
  ]);
  expect(requests.map(({ headers }) => headers['traceparent'])).toEqual(attempts.map((_, index) => `trace-${index}`));
  expect(new Set(requests.map(({ headers }) => headers['tracestate']))).toEqual(new Set(['vendor=1']));
  expect(reported).toEqual([]);
});

test('a remix is an attempt', async () => {
  const { attempts, render } = await setUp(renderVideo);
  const source = { ...job, checkpoint: 'source', read: () => new ReadableStream<Uint8Array>() };
  await render({}, { ...job, source });
  expect(attempts[0]).toBe('box there POST /v1/videos/source/remix 1 200 succeeded');
});

test('a file at another place is read there, without the key of the upstream', async () => {
  const storage = await fakeServer((response) =>
    response.writeHead(200, { 'content-type': 'video/mp4' }).end('stored'),
  );
  onTestFinished(() => storage.close());
  const { requests, render } = await setUp((response, request, count) => {
    if (request.path?.endsWith('/content?variant=video') === true)
      response.writeHead(302, { location: `${storage.baseURL}/signed` }).end();
    else renderVideo(response, request, count);
  });
  const saved: string[] = [];
  const save: VideoContext['save'] = async (_variant, _mediaType, bytes) => {
    for await (const piece of bytes) saved.push(Buffer.from(piece).toString());
  };
  await render({ save });
  expect(saved).toEqual(['stored']);
  expect(requests[0]?.headers['authorization']).toBe('Bearer secret-key');
  expect(storage.requests).toMatchObject([{ path: '/v1/signed' }]);
  expect(storage.requests[0]?.headers).not.toHaveProperty('authorization');
});

test('an input image is sent as a form of known length', async () => {
  const { requests, render } = await setUp(renderVideo);
  const inputReference = { bytes: Buffer.from('pixels'), mediaType: 'image/png' as const };
  await render({}, { ...job, inputReference });
  const [created] = requests;
  expect(created?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
  expect(Number(created?.headers['content-length'])).toBe(Buffer.byteLength(created?.text ?? ''));
  expect(created?.text).toContain('pixels');
});

test('without an observer, requests have no trace headers', async () => {
  const { attempts, requests, render } = await setUp(renderVideo);
  await render({ observer: undefined });
  expect(attempts).toEqual([]);
  expect(requests[0]?.headers).not.toHaveProperty('traceparent');
});

test.each<[string, RequestHandler, string, string]>([
  ['a status', (response) => respondWith(response, 503, {}), '503', 'status 503'],
  ['a closed connection', (response) => response.destroy(), '-', 'UND_ERR_SOCKET'],
  [
    'a reply that ends early',
    (response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{', () => response.destroy());
    },
    '200',
    'UND_ERR_SOCKET',
  ],
])('retries after %s are further attempts', async (_, fail, status, failure) => {
  const { attempts, reported, render } = await setUp((response, request, count) =>
    (count > 2 ? renderVideo : fail)(response, request, count),
  );
  await render();
  expect(attempts.slice(0, 4)).toEqual([
    `box there POST /v1/videos 1 ${status} ${failure}`,
    `box there POST /v1/videos 2 ${status} ${failure}`,
    'box there POST /v1/videos 3 200 succeeded',
    'box there GET /v1/videos/theirs 1 200 succeeded',
  ]);
  expect(reported).toEqual([`box: ${failure}`, `box: ${failure}`]);
});

test('a reason phrase with characters that a Response cannot have is accepted', async () => {
  const { attempts, render } = await setUp((response, request, count) => {
    // Node writes it as Latin-1, so these are the bytes of the text in UTF-8.
    response.statusMessage = Buffer.from('OK ✓').toString('latin1');
    renderVideo(response, request, count);
  });
  await render();
  expect(attempts.map((attempt) => attempt.split(' ').slice(4).join(' '))).toEqual([
    ...['1 200 succeeded', '1 200 succeeded', '1 200 succeeded'],
    ...['1 404 succeeded', '1 404 succeeded'],
  ]);
});

test.each([
  [204, '204 succeeded'],
  [304, '304 status 304'],
])('the attempt of a response with the status %i, which has no body, ends', async (status, outcome) => {
  const { attempts, fetchObserved } = await setUp((response) => response.writeHead(status).end());
  expect(await fetchObserved()).toMatchObject({ status, body: null });
  expect(attempts).toEqual([`box there GET /v1/videos/theirs 1 ${outcome}`]);
});

test('an error while the response is examined ends its attempt', async () => {
  const { attempts, fetchObserved } = await setUp((response) => respondWith(response, 404, {}));
  const isExpectedStatus = () => {
    throw new Error('unknown status');
  };
  await expect(fetchObserved(isExpectedStatus)).rejects.toThrow('unknown status');
  expect(attempts).toEqual(['box there GET /v1/videos/theirs 1 - the connection failed']);
});

test.each<[string, unknown, { code: string; message: string }]>([
  ['a code and a message', { code: 'too_dark', message: 'no' }, { code: 'too_dark', message: 'no' }],
  ['a long code', { code: 'x'.repeat(200_000), message: 'no' }, { code: 'upstream_failed', message: 'no' }],
  ['a code with a line break', { code: 'a\n{"b":1}', message: 'no' }, { code: 'upstream_failed', message: 'no' }],
  ['a code that is an object', { code: { a: 1 }, message: 'no' }, { code: 'upstream_failed', message: 'no' }],
  ['a code that is a number', { code: 5, message: 'no' }, { code: 'upstream_failed', message: 'no' }],
  ['a long message', { code: 'a', message: 'x'.repeat(200_000) }, { code: 'a', message: `${'x'.repeat(1999)}…` }],
  ['a message that is an object', { code: 'a', message: {} }, { code: 'a', message: defaultMessage }],
  ['a key in the message', { code: 'a', message: 'not secret-key' }, { code: 'a', message: 'not [redacted]' }],
  ['a key as the code', { code: 'secret-key', message: 'no' }, { code: 'upstream_failed', message: 'no' }],
  ['a text as the error', 'no', { code: 'upstream_failed', message: 'no' }],
  ['a number as the error', 5, { code: 'upstream_failed', message: defaultMessage }],
  ['no error', null, { code: 'upstream_failed', message: defaultMessage }],
])('a video that failed with %s', async (_, error, expected) => {
  const { render } = await setUp((response) => respondWith(response, 200, { ...video, status: 'failed', error }));
  const failure = await render().catch((thrown: unknown) => thrown);
  expect(failure).toBeInstanceOf(VideoError);
  expect(failure).toMatchObject(expected);
});

test.each<[string, Error]>([
  ['the video is deleted', new VideoError('deleted', 'The video was deleted.')],
  ['its key is revoked', new RequestError('The key is revoked.', { status: 403, code: 'key_revoked' })],
])('a request that is aborted because %s is no failure, and deleting the video is an attempt', async (_, reason) => {
  const { attempts, controller, reported, render } = await setUp((response, request, count) => {
    if (count !== 2) renderVideo(response, request, count);
    else controller.abort(reason);
  });
  await expect(render()).rejects.toBe(reason);
  expect(attempts.slice(1)).toEqual([
    'box there GET /v1/videos/theirs 1 - aborted',
    'box there DELETE /v1/videos/theirs 1 200 succeeded',
  ]);
  expect(reported).toEqual([]);
});

test.each([
  ['immediately', () => Promise.resolve()],
  [
    'after its first bytes',
    async (bytes: AsyncIterable<Uint8Array>) => {
      const iterator = bytes[Symbol.asyncIterator]();
      await iterator.next();
      await iterator.return?.();
    },
  ],
  [
    'after its first bytes, whose iterator was not closed',
    async (bytes: AsyncIterable<Uint8Array>) => {
      await bytes[Symbol.asyncIterator]().next();
    },
  ],
  [
    'while more bytes are requested',
    async (bytes: AsyncIterable<Uint8Array>) => {
      const iterator = bytes[Symbol.asyncIterator]();
      await iterator.next();
      iterator.next().catch(() => undefined);
    },
  ],
])('a download that cannot be stored is aborted %s', async (_, read) => {
  const { attempts, requests, render } = await setUp((response, request, count) => {
    if (request.path?.includes('/content') !== true) renderVideo(response, request, count);
    else response.writeHead(200, { 'content-type': 'video/mp4' }).write('vid');
  });
  const save: VideoContext['save'] = async (_variant, _mediaType, bytes) => {
    await read(bytes);
    throw new Error('the disk is full');
  };
  await expect(render({ save })).rejects.toThrow('the disk is full');
  expect(attempts.slice(2)).toEqual(['box there GET /v1/videos/theirs/content 1 200 aborted']);
  await expect.poll(() => requests.at(-1)?.isAborted).toBe(true);
});

test.each<[string, RequestHandler, string]>([
  ['headers', () => undefined, '- response header timeout'],
  ['firstByte', (response) => response.writeHead(200).flushHeaders(), '200 first byte timeout'],
  ['idle', (response) => response.writeHead(200).write('{'), '200 idle timeout'],
])('the timeout %s is a failure', async (name, handler, outcome) => {
  const { attempts, observer, baseURL } = await setUp(handler);
  const fetch = observedFetch({ upstream: 'box', model: 'there', observer, isExpectedStatus: () => false });
  const client = createVideos({ baseURL, fetch, maxRetries: 0, timeouts: { [name]: 50 } });
  await expect(client.retrieve('theirs')).rejects.toThrow('timeout');
  expect(attempts).toEqual([`box there GET /v1/videos/theirs 1 ${outcome}`]);
});
