import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { VideoRetry } from '@modelwire/ports';
import type { PassThrough, PassThroughReply, VideoContext, VideoJob } from '@modelwire/ports';
import { listenForTest } from '@modelwire/vitest/listen';
import { describe, expect, onTestFinished, test } from 'vitest';
import { engineRequest, rejection, relayWhole } from '../../test/engine-request.ts';
import { createCircuitBreakers } from './circuit-breakers.ts';
import type { CircuitBreakers } from './circuit-breakers.ts';
import { createUpstreamModeration } from '../moderation.ts';
import { createUpstreamPassThrough } from '../pass-through/pass-through.ts';
import { createUpstream } from '../upstream.ts';
import { createUpstreamVideos } from '../videos/upstream-videos.ts';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** An HTTP server that responds with `upstream.answer`, and counts the requests. */
async function startUpstream(answer: Answer) {
  const upstream = { answer, requests: 0, baseURL: '' };
  const http = createServer((request, response) => {
    upstream.requests += 1;
    void buffer(request).then(
      () => upstream.answer(response, request),
      () => undefined,
    );
  });
  upstream.baseURL = `http://${await listenForTest(http)}/v1`;
  return upstream;
}

const respondWith =
  (status: number, body: unknown): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const failed = { error: { message: 'not now', type: 'server_error', param: null, code: null } };
const reset: Answer = (response) => response.socket?.resetAndDestroy();
const truncateReply: Answer = (response) => {
  response.writeHead(200, { 'content-length': '100' });
  response.write('{"half":', () => response.destroy());
};

const stateOf = (breakers: CircuitBreakers, model: string) =>
  breakers.circuits().find((circuit) => circuit.model === model)?.state;

/** Half-open after a minute, longer than any test. */
const opensAtTwo = () => createCircuitBreakers({ failures: 2, cooldownMs: 60_000 });
const signal = new AbortController().signal;

describe('pass-through requests', () => {
  const catalog = (...upstreams: readonly string[]) => ({
    find: (model: string) => (model === 'listed' ? upstreams.map((upstream) => ({ upstream, model })) : []),
    isComplete: true,
    hasRenamedModels: false,
    otherModels: () => [],
  });

  async function forward(engine: PassThrough, model: string | undefined, more: object = {}): Promise<PassThroughReply> {
    const target = engine.find('/rerank', model);
    if (!target) throw new Error('no upstream');
    const request = { method: 'POST', path: '/rerank', headers: {}, body: undefined, requestId: 'req_1', signal };
    return engine.forward(target, { ...request, ...more });
  }

  const read = async ({ body }: PassThroughReply): Promise<void> => {
    await Array.fromAsync(body);
  };

  test.each<[string, Answer]>([
    ['a connection that is reset', reset],
    ['a reply that is broken off', truncateReply],
    ['the status 502', respondWith(502, failed)],
    ['the status 503', respondWith(503, failed)],
    ['the status 529', respondWith(529, failed)],
  ])('%s counts as a failure, and further requests are rejected immediately', async (_, answer) => {
    const upstream = await startUpstream(answer);
    const circuitBreaker = opensAtTwo();
    const engine = createUpstreamPassThrough({
      upstreams: [{ name: 'box', baseURL: upstream.baseURL }],
      catalog: catalog('box'),
      circuitBreaker,
    });
    onTestFinished(() => engine.close?.());
    for (let index = 0; index < 2; index++)
      await forward(engine, 'listed')
        .then(read)
        .catch(() => undefined);
    expect(stateOf(circuitBreaker, 'listed')).toBe('open');
    expect(await rejection(forward(engine, 'listed'))).toMatchObject({ status: 503, code: 'upstream_unavailable' });
    expect(upstream.requests).toBe(2);
    const reasons: string[] = [];
    await rejection(forward(engine, 'listed', { reportFailure: (reason: string) => reasons.push(reason) }));
    expect(reasons).toEqual(['circuit breaker open']);
    // Of another model, and of no model that is listed.
    upstream.answer = respondWith(200, {});
    await read(await forward(engine, undefined));
    expect(stateOf(circuitBreaker, '*')).toBe('closed');
  });

  test.each([500, 501, 429, 404, 400, 401])('the status %s does not count as a failure', async (status) => {
    const upstream = await startUpstream(respondWith(status, failed));
    const circuitBreaker = opensAtTwo();
    const engine = createUpstreamPassThrough({ upstreams: [{ baseURL: upstream.baseURL }], circuitBreaker });
    onTestFinished(() => engine.close?.());
    for (let index = 0; index < 3; index++)
      await forward(engine, undefined)
        .then(read)
        .catch(() => undefined);
    expect([stateOf(circuitBreaker, '*'), upstream.requests]).toEqual(['closed', 3]);
  });

  test.each<[string, Answer, string]>([
    ['a connection that is reset', reset, 'ECONNRESET'],
    ['a status', respondWith(503, failed), 'status 503'],
  ])('the cause of a failure is reported: %s', async (_, answer, reason) => {
    const upstream = await startUpstream(answer);
    const engine = createUpstreamPassThrough({ upstreams: [{ baseURL: upstream.baseURL }] });
    onTestFinished(() => engine.close?.());
    const reasons: string[] = [];
    await forward(engine, undefined, { reportFailure: (cause: string) => reasons.push(cause) })
      .then(read)
      .catch(() => undefined);
    expect(reasons).toEqual([reason]);
  });

  test('a client that disconnects does not count as a failure', async () => {
    const upstream = await startUpstream(() => undefined);
    const circuitBreaker = opensAtTwo();
    const engine = createUpstreamPassThrough({ upstreams: [{ baseURL: upstream.baseURL }], circuitBreaker });
    for (let index = 0; index < 3; index++) {
      const client = new AbortController();
      const forwarded = forward(engine, undefined, { signal: client.signal });
      await expect.poll(() => upstream.requests).toBe(index + 1);
      client.abort(new Error('disconnected'));
      await expect(forwarded).rejects.toThrow('disconnected');
    }
    expect(stateOf(circuitBreaker, '*')).toBe('closed');
  });

  test('a body of another length than declared does not count as a failure', async () => {
    const upstream = await startUpstream(respondWith(200, {}));
    const circuitBreaker = opensAtTwo();
    const engine = createUpstreamPassThrough({ upstreams: [{ baseURL: upstream.baseURL }], circuitBreaker });
    for (let index = 0; index < 3; index++) {
      const body = Readable.from([Buffer.from('abc')]);
      expect((await rejection(forward(engine, undefined, { headers: { 'content-length': '5' }, body }))).status).toBe(
        502,
      );
    }
    expect(stateOf(circuitBreaker, '*')).toBe('closed');
  });

  test('another upstream of the model receives the requests while one is paused', async () => {
    const [bad, good] = [await startUpstream(respondWith(503, failed)), await startUpstream(respondWith(200, {}))];
    const engine = createUpstreamPassThrough({
      upstreams: [
        { name: 'bad', baseURL: bad.baseURL },
        { name: 'good', baseURL: good.baseURL, weight: 0 },
      ],
      catalog: catalog('bad', 'good'),
      circuitBreaker: opensAtTwo(),
    });
    onTestFinished(() => engine.close?.());
    for (let index = 0; index < 4; index++) await read(await forward(engine, 'listed'));
    expect([bad.requests, good.requests]).toEqual([2, 2]);
  });

  test('share the circuit of the model with chat', async () => {
    const upstream = await startUpstream(respondWith(503, failed));
    const circuitBreaker = opensAtTwo();
    const upstreams = [{ name: 'box', baseURL: upstream.baseURL }];
    const engine = createUpstreamPassThrough({ upstreams, catalog: catalog('box'), circuitBreaker });
    const chat = createUpstream({ upstreams, models: { m: { upstreamModel: 'listed' } }, circuitBreaker, retries: 0 });
    onTestFinished(async () => {
      await engine.close?.();
      await chat.close?.();
    });
    await read(await forward(engine, 'listed'));
    await rejection(relayWhole(chat, engineRequest()));
    expect((await rejection(relayWhole(chat, engineRequest()))).message).toContain('is paused');
    expect((await rejection(forward(engine, 'listed'))).message).toContain('is paused');
    expect(upstream.requests).toBe(2);
  });
});

describe('moderation', () => {
  async function start(answer: Answer) {
    const upstream = await startUpstream(answer);
    const circuitBreaker = opensAtTwo();
    const engine = createUpstreamModeration({ baseURL: upstream.baseURL, models: { m: 'there' }, circuitBreaker });
    onTestFinished(() => engine.close?.());
    const inputs = [[{ type: 'text', text: 'a' }] as const];
    const moderate = () => engine.moderate({ model: 'm', inputs }, { requestId: 'req_1', signal });
    return { upstream, circuitBreaker, moderate };
  }

  test.each<[string, Answer, number, string]>([
    ['resets connections', reset, 502, 'upstream_error'],
    ['is overloaded', respondWith(503, failed), 503, 'upstream_error'],
    ['sends no moderation', respondWith(200, { hello: 1 }), 502, 'upstream_error'],
  ])('an upstream that %s is paused after failed requests', async (_, answer, status, code) => {
    const { upstream, circuitBreaker, moderate } = await start(answer);
    for (let index = 0; index < 2; index++) expect(await rejection(moderate())).toMatchObject({ status, code });
    expect(stateOf(circuitBreaker, 'there')).toBe('open');
    const { requests } = upstream;
    expect(await rejection(moderate())).toMatchObject({ status: 503, code: 'upstream_unavailable' });
    expect(upstream.requests).toBe(requests);
  });

  test('a 500 is passed on immediately, and does not count as a failure', async () => {
    const { upstream, circuitBreaker, moderate } = await start(respondWith(500, failed));
    for (let index = 0; index < 3; index++) expect((await rejection(moderate())).status).toBe(500);
    expect([stateOf(circuitBreaker, 'there'), upstream.requests]).toEqual(['closed', 3]);
  });
});

describe('videos', () => {
  const job: VideoJob = {
    ...{ id: 'video_1', model: 'm', prompt: 'a boat', width: 720, height: 1280, seconds: 4, seed: 1 },
    ...{ extensionSeconds: undefined, uploadedSource: undefined, inputReference: undefined, source: undefined },
  };
  const video = { id: 'theirs', object: 'video', model: 'm', status: 'completed', progress: 100, created_at: 1 };

  function contextWith(aborted: AbortSignal): VideoContext & { readonly saved: string[] } {
    const saved: string[] = [];
    return {
      ...{
        signal: aborted,
        saved,
        checkpoint: undefined,
        progress: () => undefined,
        saveCheckpoint: async () => undefined,
      },
      async save(variant, _, bytes) {
        await Array.fromAsync(bytes);
        saved.push(variant);
      },
    };
  }

  const renderVideo: Answer = (response, request) => {
    if (request.url?.includes('/content') !== true) respondWith(200, video)(response, request);
    else response.writeHead(200, { 'content-type': 'video/mp4' }).end('video');
  };

  test('a video of a paused upstream is rendered after the pause', async () => {
    const upstream = await startUpstream(respondWith(503, failed));
    const states: string[] = [];
    const circuitBreaker = createCircuitBreakers({
      ...{ failures: 1, cooldownMs: 300 },
      onStateChange({ state }) {
        states.push(state);
        if (state === 'open') upstream.answer = renderVideo;
      },
    });
    const engine = createUpstreamVideos({ baseURL: upstream.baseURL, models: { m: {} }, pollMs: 1, circuitBreaker });
    await expect(engine.render(job, contextWith(signal))).rejects.toThrow(VideoRetry);
    const { requests } = upstream;
    const context = contextWith(signal);
    const rendered = engine.render(job, context);
    expect([states, upstream.requests]).toEqual([['open'], requests]);
    await rendered;
    expect(states).toEqual(['open', 'half-open', 'closed']);
    expect(context.saved).toContain('video');
  });

  test('a video can be cancelled while its upstream is paused', async () => {
    const upstream = await startUpstream(respondWith(503, failed));
    const circuitBreaker = createCircuitBreakers({ failures: 1, cooldownMs: 600_000 });
    const engine = createUpstreamVideos({ baseURL: upstream.baseURL, models: { m: {} }, circuitBreaker });
    await expect(engine.render(job, contextWith(signal))).rejects.toThrow(VideoRetry);
    const cancelled = new AbortController();
    const rendered = engine.render(job, contextWith(cancelled.signal));
    cancelled.abort(new Error('deleted'));
    await expect(rendered).rejects.toThrow('deleted');
  });

  test.each([400, 401, 429, 500])('the status %s does not count as a failure', async (status) => {
    const upstream = await startUpstream(respondWith(status, failed));
    const circuitBreaker = createCircuitBreakers({ failures: 1, cooldownMs: 600_000 });
    const engine = createUpstreamVideos({ baseURL: upstream.baseURL, models: { m: {} }, circuitBreaker });
    await expect(engine.render(job, contextWith(signal))).rejects.toThrow();
    expect(stateOf(circuitBreaker, 'm')).toBe('closed');
  });
});
