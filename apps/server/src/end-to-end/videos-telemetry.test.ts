import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { listenForTest } from '@modelwire/vitest/listen';
import { expect, test, vi } from 'vitest';
import { createDataDirectory, startObservedServer } from '../testing/observed-server.ts';
import { attribute, receiveSpans } from '../testing/receive-spans.ts';
import type { ReceivedSpan } from '../testing/receive-spans.ts';

const waitOptions = { timeout: 30_000, interval: 20 };

type ObservedServer = Awaited<ReturnType<typeof startObservedServer>>;

/** Starts an upstream for videos, which are completed unless `status` is changed, and records its requests. */
async function startVideoUpstream() {
  const requests: { readonly request: string; readonly traceparent: string | undefined }[] = [];
  const upstream = {
    url: '',
    requests,
    status: 'completed',
    /** Responds to `POST` requests instead. */
    create: undefined as ((response: ServerResponse) => void) | undefined,
  };
  const http = createServer(({ method, url = '', headers }, response) => {
    const traceparent = headers['traceparent']?.toString();
    requests.push({ request: `${method} ${url}`, traceparent });
    if (method === 'POST' && upstream.create) {
      upstream.create(response);
      return;
    }
    if (url.includes('/content')) {
      response.writeHead(200, { 'content-type': 'video/mp4' }).end('video');
      return;
    }
    const { status } = upstream;
    const video = { id: 'theirs', object: 'video', model: 'filmer', status, progress: 10, created_at: 1 };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(video));
  });
  upstream.url = `http://${await listenForTest(http)}/v1`;
  return upstream;
}

const respondWithError = (status: number) => (response: ServerResponse) => {
  response.writeHead(status, { 'content-type': 'application/json', 'retry-after-ms': '1' });
  response.end(JSON.stringify({ error: { message: 'no', type: 'invalid_request_error', code: 'too_dark' } }));
};

function startServer({ url }: { readonly url: string }, data?: string): Promise<ObservedServer> {
  const videos = { storyboard: false, upstream: { baseURL: url, models: { filmer: {} } } };
  return startObservedServer({ videos, jobLeaseMs: 500 }, data);
}

/** Waits for the log line of the run of the video. The line of its request names no upstream. */
function ended({ log }: ObservedServer, id: string) {
  return vi.waitUntil(() => log.find(({ video, upstream }) => video === id && upstream !== undefined), waitOptions);
}

function spanTree(spans: readonly ReceivedSpan[]) {
  const childrenOf = (parent: ReceivedSpan | undefined, name: RegExp) =>
    spans.filter((span) => parent && span.parentSpanId === parent.spanId && name.test(span.name));
  const request = spans.find(({ name, parentSpanId }) => name === 'POST /v1/videos' && parentSpanId === undefined);
  const runs = childrenOf(request, /^POST \/v1\/videos$/);
  const generations = runs.flatMap((run) => childrenOf(run, /^generate_content filmer$/));
  const attempts = generations.flatMap((generation) => childrenOf(generation, /^(GET|POST|DELETE) upstream$/));
  return { request, runs, generations, attempts };
}

test('the rendering of a video continues the trace of its request, and so do the requests to its upstream', async () => {
  const spans = await receiveSpans();
  const upstream = await startVideoUpstream();
  const server = await startServer(upstream);
  const { id } = await server.client.videos.create({ model: 'filmer', prompt: 'a boat' });
  await ended(server, id);
  await server.stop();
  const { request, runs, generations, attempts } = spanTree(spans);
  expect(runs.map((run) => attribute(run, 'modelwire.video.id'))).toEqual([id]);
  expect(runs.map((run) => attribute(run, 'gen_ai.request.model'))).toEqual(['filmer']);
  expect(generations.map((span) => attribute(span, 'gen_ai.operation.name'))).toEqual(['generate_content']);
  expect(upstream.requests).toEqual(
    [
      'POST /v1/videos',
      'GET /v1/videos/theirs',
      ...['video', 'thumbnail', 'spritesheet'].map((variant) => `GET /v1/videos/theirs/content?variant=${variant}`),
    ].map((sent, index) => ({
      request: sent,
      traceparent: `00-${request?.traceId}-${attempts[index]?.spanId}-01`,
    })),
  );
});

test('the rendering continues the trace after a restart', async () => {
  const spans = await receiveSpans();
  const upstream = await startVideoUpstream();
  upstream.status = 'in_progress';
  const data = createDataDirectory();
  const first = await startServer(upstream, data);
  const { id } = await first.client.videos.create({ model: 'filmer', prompt: 'a boat' });
  await vi.waitUntil(() => upstream.requests.length === 2, waitOptions);
  await vi.waitUntil(async () => (await first.client.videos.retrieve(id)).progress === 10, waitOptions);
  await first.stop();
  expect(first.log.filter(({ video }) => video === id).map(({ aborted }) => aborted)).toEqual([undefined, true]);
  const received = upstream.requests.length;
  upstream.status = 'completed';
  const second = await startServer(upstream, data);
  const run = await ended(second, id);
  await second.stop();
  const { request, runs, attempts } = spanTree(spans);
  expect(runs).toHaveLength(2);
  expect(run).toMatchObject({ traceId: request?.traceId, status: 200 });
  const resumed = upstream.requests.slice(received);
  expect(resumed[0]?.request).toBe('GET /v1/videos/theirs');
  const sentBy = attempts.map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`);
  expect(upstream.requests.map(({ traceparent }) => traceparent)).toEqual(sentBy);
  expect(new Set(attempts.map(({ traceId }) => traceId))).toEqual(new Set([request?.traceId]));
});

test('the trace of a client is passed to the upstream, without traces of this server', async () => {
  const upstream = await startVideoUpstream();
  const server = await startServer(upstream);
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
  const { id } = await server.client.videos.create({ model: 'filmer', prompt: 'a boat' }, { headers: { traceparent } });
  await ended(server, id);
  expect(new Set(upstream.requests.map((request) => request.traceparent))).toEqual(new Set([traceparent]));
  expect(server.log.filter(({ video }) => video === id)).toMatchObject([{ traceId }, { traceId }]);
});

test('a remix and the deletion of a running video are observed', async () => {
  const upstream = await startVideoUpstream();
  const server = await startServer(upstream);
  const { id: source } = await server.client.videos.create({ model: 'filmer', prompt: 'a boat' });
  await ended(server, source);
  upstream.status = 'in_progress';
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const { id } = await server.client.videos.remix(source, { prompt: 'a red boat' }, { headers: { traceparent } });
  const received = (method: string) => upstream.requests.filter(({ request }) => request.startsWith(`${method} `));
  await vi.waitUntil(async () => (await server.client.videos.retrieve(id)).progress === 10, waitOptions);
  await server.client.videos.delete(id);
  await vi.waitUntil(() => server.log.some(({ video, aborted }) => video === id && aborted), waitOptions);
  expect(received('POST').at(-1)).toEqual({ request: 'POST /v1/videos/theirs/remix', traceparent });
  expect(received('DELETE')).toEqual([{ request: 'DELETE /v1/videos/theirs', traceparent }]);
  expect(await server.metricLines('modelwire_generations_total')).toEqual(
    expect.arrayContaining([
      'modelwire_generations_total{model="filmer",operation="generate_content",outcome="completed"} 1',
      'modelwire_generations_total{model="filmer",operation="generate_content",outcome="aborted"} 1',
    ]),
  );
});

test('metrics count the rendering of a video and its attempts, and its request once', async () => {
  const upstream = await startVideoUpstream();
  const server = await startServer(upstream);
  const { id } = await server.client.videos.create({ model: 'filmer', prompt: 'a boat' });
  expect(await ended(server, id)).toMatchObject({ status: 200, upstream: 'upstream', model: 'filmer' });
  expect(await server.metricLines('modelwire_requests_total{method="POST",route="/v1/videos"')).toEqual([
    'modelwire_requests_total{method="POST",route="/v1/videos",status="200",code=""} 1',
  ]);
  expect(await server.metricLines('modelwire_upstream_attempts_total')).toContain(
    'modelwire_upstream_attempts_total{upstream="upstream",outcome="succeeded"} 5',
  );
});

test('metrics and the log have the failure of the upstream', async () => {
  const upstream = await startVideoUpstream();
  upstream.create = respondWithError(400);
  const server = await startServer(upstream);
  const { id } = await server.client.videos.create({ model: 'filmer', prompt: 'a boat' });
  expect(await ended(server, id)).toMatchObject({
    ...{ status: 400, error: 'too_dark', upstream: 'upstream', upstreamFailure: 'upstream: status 400' },
  });
  expect(await server.metricLines('modelwire_upstream_failures_total')).toEqual([
    'modelwire_upstream_failures_total{upstream="upstream",reason="status 400"} 1',
  ]);
  expect(await server.metricLines('modelwire_generations_total')).toContain(
    'modelwire_generations_total{model="filmer",operation="generate_content",outcome="failed"} 1',
  );
});
