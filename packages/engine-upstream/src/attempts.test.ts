import { once } from 'node:events';
import type { UpstreamObserver } from '@modelwire/ports';
import { afterEach, describe, expect, test } from 'vitest';
import { engineRequest, drain, rejection, relayStream, relayWhole } from '../test/engine-request.ts';
import { chunk, completion, startEventStream, fakeServer, frames, json } from '../test/fake-server.ts';
import type { RequestHandler, FakeServer } from '../test/fake-server.ts';
import { createCircuitBreakers } from './circuit-breakers.ts';
import type { Circuit } from './circuit-breakers.ts';
import type { UpstreamOptions } from './options.ts';
import { createUpstream } from './upstream.ts';
import type { UpstreamEngine } from './upstream.ts';

let fakes: FakeServer[] = [];
let engine: UpstreamEngine;

/** Of those that are to answer: a busy machine may take its time. */
const patient = 30_000;

/** Servers `a`, `b`, … in this order: `a` is asked first, the others are its fallback. */
async function start(
  answerings: readonly RequestHandler[],
  { firstByte = patient, ...options }: Partial<UpstreamOptions> & { readonly firstByte?: number | undefined } = {},
): Promise<void> {
  fakes = await Promise.all(answerings.map(fakeServer));
  const names = ['a', 'b', 'c'].slice(0, fakes.length);
  engine = createUpstream({
    upstreams: fakes.map(({ baseURL }, index) => ({
      name: names[index]!,
      baseURL,
      timeouts: { firstByte: index === 0 ? firstByte : patient },
    })),
    models: { m: { upstreams: ['a'], fallback: names.slice(1) } },
    ...options,
  });
}

afterEach(async () => {
  await engine.close?.();
  await Promise.all(fakes.map((fake) => fake.close()));
});

const counts = (): number[] => fakes.map(({ requests }) => requests.length);
const good: RequestHandler = (response) => json(response, 200, completion);
const status =
  (code: number, headers: Record<string, string> = {}): RequestHandler =>
  (response) =>
    json(response, code, { error: { message: 'x' } }, headers);
/** Fails with `bad` once, then answers. */
const once1 =
  (bad: RequestHandler): RequestHandler =>
  (response, seen, count) =>
    (count === 1 ? bad : good)(response, seen, count);
const hangUp: RequestHandler = (response) => response.socket?.resetAndDestroy();

describe('asks again', () => {
  test.each([408, 502, 503, 504])('the same server after %i', async (code) => {
    await start([once1(status(code))]);
    expect(await relayWhole(engine, engineRequest())).toEqual(completion);
    expect(counts()).toEqual([2]);
  });

  test('the same server after a connection that broke before the reply', async () => {
    await start([once1(hangUp)]);
    expect(await relayWhole(engine, engineRequest())).toEqual(completion);
    expect(counts()).toEqual([2]);
  });

  test('with one idempotency key and one request ID for all attempts of a request', async () => {
    await start([once1(hangUp)]);
    await relayWhole(engine, engineRequest());
    await relayWhole(engine, engineRequest());
    const keys = fakes[0]!.requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/.{16}/);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
    expect(fakes[0]!.requests.map(({ headers }) => headers['x-request-id'])).toEqual(['req_1', 'req_1', 'req_1']);
  });

  test('no more often than retries says, and throws the last failure', async () => {
    await start([status(503)], { retries: 3 });
    expect(await rejection(relayWhole(engine, engineRequest()))).toMatchObject({ status: 503, code: 'upstream_error' });
    expect(counts()).toEqual([4]);
  });

  test('one other server after 500, and no third', async () => {
    await start([status(500), status(500), good]);
    expect(await rejection(relayWhole(engine, engineRequest()))).toMatchObject({ status: 500, message: 'x' });
    expect(counts()).toEqual([1, 1, 0]);
  });

  test('nobody after 500 when there is no other server', async () => {
    await start([status(500)], { retries: 5 });
    expect(await rejection(relayWhole(engine, engineRequest()))).toMatchObject({ status: 500, message: 'x' });
    expect(counts()).toEqual([1]);
  });

  test('another server after 500, and passes the 500 on when that server is down', async () => {
    await start([status(500), hangUp]);
    expect(await rejection(relayWhole(engine, engineRequest()))).toMatchObject({ status: 500, message: 'x' });
  });

  test.each<[what: string, bad: RequestHandler, firstByte?: number]>([
    ['429', status(429)],
    ['500', status(500)],
    ['529', status(529)],
    ['401, which is our key', status(401)],
    ['404 for the model', status(404)],
    ['503 with retry-after', status(503, { 'retry-after': '1' })],
    ['no reply in time', () => undefined, 100],
  ])('only another server after %s', async (_, bad, firstByte) => {
    await start([bad, good], { firstByte });
    expect(await relayWhole(engine, engineRequest())).toEqual(completion);
    expect(counts()).toEqual([1, 1]);
  });

  test('nobody after 429 when there is no other server', async () => {
    await start([status(429, { 'retry-after': '9' })]);
    expect(await rejection(relayWhole(engine, engineRequest()))).toMatchObject({
      status: 429,
      headers: { 'retry-after': '9' },
    });
    expect(counts()).toEqual([1]);
  });

  test('nobody after 503 with retry-after when there is no other server', async () => {
    await start([status(503, { 'retry-after': '9' })]);
    expect(await rejection(relayWhole(engine, engineRequest()))).toMatchObject({
      status: 503,
      headers: { 'retry-after': '9' },
    });
    expect(counts()).toEqual([1]);
  });

  test.each([400, 409, 413, 422])('nobody after %i: the request is at fault', async (code) => {
    await start([status(code), good]);
    expect(await rejection(relayWhole(engine, engineRequest()))).toMatchObject({ status: code });
    expect(counts()).toEqual([1, 0]);
  });

  test('nobody once a byte of the reply came', async () => {
    const cut: RequestHandler = (response) =>
      startEventStream(response).write(frames(chunk({ content: 'a' })), () => response.socket?.resetAndDestroy());
    await start([cut, good]);
    const outcome = await drain(await relayStream(engine, engineRequest({ stream: true })));
    expect(outcome).toMatchObject({
      payloads: [chunk({ content: 'a' })],
      error: { code: 'upstream_stream_interrupted' },
    });
    expect(counts()).toEqual([1, 0]);
  });
});

test('asks the fallback in its order, each under its own name for the model', async () => {
  await start([hangUp, status(503), good], {
    models: { m: { upstreams: ['a'], fallback: ['c', 'b'], upstreamModel: { a: 'A', b: 'B', c: 'C' } } },
  });
  const [, b, c] = fakes;
  expect(await relayWhole(engine, engineRequest())).toEqual(completion);
  expect(c!.requests[0]!.body['model']).toBe('C');
  expect(b!.requests).toEqual([]);
});

describe('the circuit breaker', () => {
  const pauseAfter = (failures: number) => ({ circuitBreaker: { failures, cooldownMs: 60_000 } });

  test('pauses an upstream after failures in a row, and tells when to retry and what failed', async () => {
    await start([status(503)], { retries: 0, ...pauseAfter(2) });
    for (let index = 0; index < 2; index++) await rejection(relayWhole(engine, engineRequest()));
    const refused = await rejection(relayWhole(engine, engineRequest()));
    expect(refused).toMatchObject({ status: 503, code: 'upstream_unavailable', headers: { 'retry-after': '60' } });
    expect(refused.message).toContain('status 503');
    expect(counts()).toEqual([2]);
  });

  test('sends requests straight to the fallback meanwhile', async () => {
    await start([status(503), good], pauseAfter(1));
    for (let index = 0; index < 3; index++) await relayWhole(engine, engineRequest());
    expect(counts()).toEqual([1, 3]);
  });

  test('counts a request once, however often it was retried', async () => {
    await start([hangUp], { retries: 4, ...pauseAfter(2) });
    await rejection(relayWhole(engine, engineRequest()));
    expect(counts()).toEqual([5]);
    expect(engine.circuits()).toMatchObject([{ state: 'closed' }]);
    await rejection(relayWhole(engine, engineRequest()));
    expect(engine.circuits()).toMatchObject([{ state: 'open' }]);
  });

  test('pauses the model that fails, not the other models of its upstream', async () => {
    const answering: RequestHandler = (response, seen, count) =>
      (seen.body['model'] === 'broken' ? status(503) : good)(response, seen, count);
    await start([answering], { models: { m: {}, other: { upstreamModel: 'broken' } }, retries: 0, ...pauseAfter(1) });
    const { request, context } = engineRequest();
    const other = { ...context, model: { ...context.model, id: 'other' } };
    await rejection(engine.relay!(request, other));
    expect(await rejection(engine.relay!(request, other))).toMatchObject({ code: 'upstream_unavailable' });
    expect(await relayWhole(engine, engineRequest())).toEqual(completion);
    expect(engine.circuits()).toMatchObject([
      { upstream: 'a', model: 'm', state: 'closed', retryAfterMs: 0, lastFailure: undefined },
      { upstream: 'a', model: 'broken', state: 'open', lastFailure: 'status 503' },
    ]);
  });

  test('is shared by engines that are given the same circuit breakers, and reports each change of state', async () => {
    const changes: Circuit[] = [];
    const circuitBreaker = createCircuitBreakers({
      failures: 1,
      cooldownMs: 60_000,
      onStateChange: (now) => changes.push(now),
    });
    await start([status(503)], { retries: 0, circuitBreaker });
    await rejection(relayWhole(engine, engineRequest()));
    const second = createUpstream({
      upstreams: [{ name: 'a', baseURL: fakes[0]!.baseURL }],
      models: { m: {} },
      circuitBreaker,
    });
    expect(await rejection(relayWhole(second, engineRequest()))).toMatchObject({ code: 'upstream_unavailable' });
    await second.close?.();
    expect(changes).toEqual([
      { upstream: 'a', model: 'm', state: 'open', retryAfterMs: 60_000, lastFailure: 'status 503' },
    ]);
  });

  test('counts streams that break off, though they began well', async () => {
    const cut: RequestHandler = (response) => startEventStream(response).end(frames(chunk({ content: 'a' })));
    await start([cut], { retries: 0, ...pauseAfter(2) });
    for (let index = 0; index < 2; index++) await drain(await relayStream(engine, engineRequest({ stream: true })));
    expect(await rejection(relayStream(engine, engineRequest({ stream: true })))).toMatchObject({
      code: 'upstream_unavailable',
    });
  });

  test.each([502, 503, 504, 529])('counts %i', async (code) => {
    await start([status(code)], { retries: 0, ...pauseAfter(1) });
    for (let index = 0; index < 3; index++) await rejection(relayWhole(engine, engineRequest()));
    expect(counts()).toEqual([1]);
  });

  test.each([400, 401, 404, 422, 429, 500, 501])('does not count %i', async (code) => {
    await start([status(code)], { retries: 0, ...pauseAfter(1) });
    for (let index = 0; index < 3; index++) await rejection(relayWhole(engine, engineRequest()));
    expect(counts()).toEqual([3]);
  });

  const inReply = (code: number | undefined) => JSON.stringify({ error: { message: 'x', code } });

  test.each([
    [500, 3],
    [undefined, 3],
    [503, 1],
  ])('treats an error of status %s inside a reply of status 200 like that status', async (code, asked) => {
    await start([(response) => response.end(inReply(code))], { retries: 0, ...pauseAfter(1) });
    for (let index = 0; index < 3; index++) await rejection(relayWhole(engine, engineRequest()));
    expect(counts()).toEqual([asked]);
  });

  test.each([
    [500, 3],
    [503, 1],
  ])('treats an error frame of status %s in a stream like that status', async (code, asked) => {
    await start([(response) => startEventStream(response).end(frames(inReply(code)))], {
      retries: 0,
      ...pauseAfter(1),
    });
    for (let index = 0; index < 3; index++) {
      await relayStream(engine, engineRequest({ stream: true })).then(drain, () => undefined);
    }
    expect(counts()).toEqual([asked]);
  });

  test('does not count clients that disconnect', async () => {
    await start([() => undefined], { retries: 0, ...pauseAfter(1) });
    for (let index = 0; index < 3; index++) {
      const leaving = new AbortController();
      const relayed = relayWhole(engine, engineRequest({}, leaving.signal));
      await once(fakes[0]!.server, 'request-received');
      leaving.abort(new Error('left'));
      await expect(relayed).rejects.toThrow('left');
    }
    expect(counts()).toEqual([3]);
  });
});

test('names each upstream that it tries', async () => {
  await start([hangUp, good], { retries: 1 });
  const { request, context } = engineRequest();
  const named: string[] = [];
  await engine.relay!(request, { ...context, reportUpstream: (name, failure) => failure ?? named.push(name) });
  expect(named).toEqual(['a', 'b']);
});

test('a model that is not in the map is not found', async () => {
  await start([good]);
  const { request, context } = engineRequest();
  const unknown = { ...context, model: { ...context.model, id: 'other' } };
  expect(await rejection(engine.relay!(request, unknown))).toMatchObject({ status: 404, code: 'model_not_found' });
});

describe('observed attempts', () => {
  /** An observer that records attempts as lines, and adds a header to each. */
  function recorder() {
    const lines: string[] = [];
    const observer: UpstreamObserver = {
      startUpstreamAttempt({ upstream, model, path, number }) {
        lines.push(`${number}: ${upstream} ${model ?? '-'} ${path}`);
        return {
          headers: { traceparent: `attempt-${number}` },
          end: (outcome) => void lines.push(`${number} ended ${JSON.stringify(outcome)}`),
        };
      },
    };
    return { observer, lines };
  }
  const observed = (observer: UpstreamObserver, requestBody: Record<string, unknown> = {}) => {
    const failures: string[] = [];
    const { request, context } = engineRequest(requestBody);
    const reportUpstream = (name: string, failure?: string): void => {
      if (failure !== undefined) failures.push(`${name}: ${failure}`);
    };
    return { ask: { request, context: { ...context, observer, reportUpstream } }, failures };
  };

  test('are told of each attempt, its headers are sent, and failures are reported', async () => {
    const { observer, lines } = recorder();
    await start([once1(status(503)), good]);
    const { ask, failures } = observed(observer);
    await relayWhole(engine, ask);
    expect(lines).toEqual([
      '1: a m /v1/chat/completions',
      '1 ended {"status":503,"failure":"status 503"}',
      '2: b m /v1/chat/completions',
      '2 ended {"status":200}',
    ]);
    expect(failures).toEqual(['a: status 503']);
    expect(fakes.map(({ requests }) => requests[0]?.headers['traceparent'])).toEqual(['attempt-1', 'attempt-2']);
  });

  test('of a stream end when it is read, with the reason if it breaks off', async () => {
    const { observer, lines } = recorder();
    await start([(response) => void startEventStream(response).end(frames(chunk({ content: 'Hi' })))]);
    const { ask, failures } = observed(observer, { stream: true });
    const stream = await relayStream(engine, ask);
    expect(lines).toEqual(['1: a m /v1/chat/completions']);
    await drain(stream);
    expect(lines[1]).toBe('1 ended {"status":200,"failure":"stream ended early"}');
    expect(failures).toEqual(['a: stream ended early']);
  });
});
