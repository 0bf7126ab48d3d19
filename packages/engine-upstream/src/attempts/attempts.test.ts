import { once } from 'node:events';
import type { UpstreamObserver } from '@modelwire/ports';
import { afterEach, describe, expect, test } from 'vitest';
import { engineRequest, drain, rejection, relayStream, relayWhole } from '../../test/engine-request.ts';
import { chunk, completion, startEventStream, fakeServer, frames, json } from '../../test/fake-server.ts';
import type { RequestHandler, FakeServer } from '../../test/fake-server.ts';
import { createCircuitBreakers } from './circuit-breakers.ts';
import type { Circuit } from './circuit-breakers.ts';
import type { UpstreamOptions } from '../presets/options.ts';
import { createUpstream } from '../upstream.ts';
import type { UpstreamEngine } from '../upstream.ts';

let fakes: FakeServer[] = [];
let engine: UpstreamEngine;

/** Timeout of servers that respond; generous for slow machines. */
const generousTimeoutMs = 30_000;

/** Servers `a`, `b`, … in this order: `a` is tried first, the others are its fallback. */
async function start(
  handlers: readonly RequestHandler[],
  {
    firstByte = generousTimeoutMs,
    ...options
  }: Partial<UpstreamOptions> & { readonly firstByte?: number | undefined } = {},
): Promise<void> {
  fakes = await Promise.all(handlers.map(fakeServer));
  const names = ['a', 'b', 'c'].slice(0, fakes.length);
  engine = createUpstream({
    upstreams: fakes.map(({ baseURL }, index) => ({
      name: names[index]!,
      baseURL,
      timeouts: { firstByte: index === 0 ? firstByte : generousTimeoutMs },
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
const succeed: RequestHandler = (response) => json(response, 200, completion);
const status =
  (code: number, headers: Record<string, string> = {}): RequestHandler =>
  (response) =>
    json(response, code, { error: { message: 'x' } }, headers);
/** Fails with `bad` once, then succeeds. */
const failOnce =
  (bad: RequestHandler): RequestHandler =>
  (response, received, count) =>
    (count === 1 ? bad : succeed)(response, received, count);
const resetConnection: RequestHandler = (response) => response.socket?.resetAndDestroy();

describe('retries', () => {
  test.each([408, 502, 503, 504])('on the same server after %i', async (code) => {
    await start([failOnce(status(code))]);
    expect(await relayWhole(engine, engineRequest())).toEqual(completion);
    expect(counts()).toEqual([2]);
  });

  test('on the same server after a connection that closed before the reply', async () => {
    await start([failOnce(resetConnection)]);
    expect(await relayWhole(engine, engineRequest())).toEqual(completion);
    expect(counts()).toEqual([2]);
  });

  test('with one idempotency key and one request ID for all attempts of a request', async () => {
    await start([failOnce(resetConnection)]);
    await relayWhole(engine, engineRequest());
    await relayWhole(engine, engineRequest());
    const keys = fakes[0]!.requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/.{16}/);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
    expect(fakes[0]!.requests.map(({ headers }) => headers['x-request-id'])).toEqual(['req_1', 'req_1', 'req_1']);
  });

  test('at most `retries` times, and throws the last failure', async () => {
    await start([status(503)], { retries: 3 });
    expect(await rejection(relayWhole(engine, engineRequest()))).toMatchObject({ status: 503, code: 'upstream_error' });
    expect(counts()).toEqual([4]);
  });

  test('on each other server once after 500', async () => {
    await start([status(500), status(500), succeed]);
    expect(await relayWhole(engine, engineRequest())).toEqual(completion);
    expect(counts()).toEqual([1, 1, 1]);
  });

  test('not at all after 500 without another server', async () => {
    await start([status(500)], { retries: 5 });
    expect(await rejection(relayWhole(engine, engineRequest()))).toMatchObject({ status: 500, message: 'x' });
    expect(counts()).toEqual([1]);
  });

  test('on another server after 500, and passes the 500 on if that server is down', async () => {
    await start([status(500), resetConnection]);
    expect(await rejection(relayWhole(engine, engineRequest()))).toMatchObject({ status: 500, message: 'x' });
  });

  test.each<[what: string, bad: RequestHandler, firstByte?: number]>([
    ['429', status(429)],
    ['500', status(500)],
    ['529', status(529)],
    ['401, which concerns the configured key', status(401)],
    ['404 for the model', status(404)],
    ['503 with retry-after', status(503, { 'retry-after': '1' })],
    ['no reply in time', () => undefined, 100],
  ])('on another server only, after %s', async (_, bad, firstByte) => {
    await start([bad, succeed], { firstByte });
    expect(await relayWhole(engine, engineRequest())).toEqual(completion);
    expect(counts()).toEqual([1, 1]);
  });

  test.each([429, 503])('not at all after %i with retry-after without another server', async (code) => {
    await start([status(code, { 'retry-after': '9' })]);
    expect(await rejection(relayWhole(engine, engineRequest()))).toMatchObject({
      status: code,
      headers: { 'retry-after': '9' },
    });
    expect(counts()).toEqual([1]);
  });

  test.each([400, 409, 413, 422])('not at all after %i, which concerns the request', async (code) => {
    await start([status(code), succeed]);
    expect(await rejection(relayWhole(engine, engineRequest()))).toMatchObject({ status: code });
    expect(counts()).toEqual([1, 0]);
  });

  test('not at all after the first byte of the reply', async () => {
    const truncatedStream: RequestHandler = (response) =>
      startEventStream(response).write(frames(chunk({ content: 'a' })), () => response.socket?.resetAndDestroy());
    await start([truncatedStream, succeed]);
    const outcome = await drain(await relayStream(engine, engineRequest({ stream: true })));
    expect(outcome).toMatchObject({
      payloads: [chunk({ content: 'a' })],
      error: { code: 'upstream_stream_interrupted' },
    });
    expect(counts()).toEqual([1, 0]);
  });
});

test('tries the fallback in the configured order, with the name of the model at each server', async () => {
  await start([resetConnection, status(503), succeed], {
    models: { m: { upstreams: ['a'], fallback: ['c', 'b'], upstreamModel: { a: 'A', b: 'B', c: 'C' } } },
  });
  const [, b, c] = fakes;
  expect(await relayWhole(engine, engineRequest())).toEqual(completion);
  expect(c!.requests[0]!.body['model']).toBe('C');
  expect(b!.requests).toEqual([]);
});

describe('the circuit breaker', () => {
  const pauseAfter = (failures: number) => ({ circuitBreaker: { failures, cooldownMs: 60_000 } });

  test('pauses an upstream after consecutive failures, and reports when to retry and the last failure', async () => {
    await start([status(503)], { retries: 0, ...pauseAfter(2) });
    for (let index = 0; index < 2; index++) await rejection(relayWhole(engine, engineRequest()));
    const refused = await rejection(relayWhole(engine, engineRequest()));
    expect(refused).toMatchObject({ status: 503, code: 'upstream_unavailable', headers: { 'retry-after': '60' } });
    expect(refused.message).toContain('status 503');
    expect(counts()).toEqual([2]);
  });

  test('sends requests directly to the fallback while it is open', async () => {
    await start([status(503), succeed], pauseAfter(1));
    for (let index = 0; index < 3; index++) await relayWhole(engine, engineRequest());
    expect(counts()).toEqual([1, 3]);
  });

  test('counts a request once, regardless of its retries', async () => {
    await start([resetConnection], { retries: 4, ...pauseAfter(2) });
    await rejection(relayWhole(engine, engineRequest()));
    expect(counts()).toEqual([5]);
    expect(engine.circuits()).toMatchObject([{ state: 'closed' }]);
    await rejection(relayWhole(engine, engineRequest()));
    expect(engine.circuits()).toMatchObject([{ state: 'open' }]);
  });

  test('pauses the model that fails, not the other models of its upstream', async () => {
    const handler: RequestHandler = (response, received, count) =>
      (received.body['model'] === 'broken' ? status(503) : succeed)(response, received, count);
    await start([handler], { models: { m: {}, other: { upstreamModel: 'broken' } }, retries: 0, ...pauseAfter(1) });
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

  test('is shared by engines with the same circuit breakers, and reports each change of state', async () => {
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

  test('counts streams that end early', async () => {
    const truncatedStream: RequestHandler = (response) =>
      startEventStream(response).end(frames(chunk({ content: 'a' })));
    await start([truncatedStream], { retries: 0, ...pauseAfter(2) });
    for (let index = 0; index < 2; index++) await drain(await relayStream(engine, engineRequest({ stream: true })));
    expect(await rejection(relayStream(engine, engineRequest({ stream: true })))).toMatchObject({
      code: 'upstream_unavailable',
    });
  });

  test.each([502, 503, 504, 507, 520, 524, 529, 530])('counts %i', async (code) => {
    await start([status(code)], { retries: 0, ...pauseAfter(1) });
    for (let index = 0; index < 3; index++) await rejection(relayWhole(engine, engineRequest()));
    expect(counts()).toEqual([1]);
  });

  test.each([400, 401, 404, 422, 429, 500, 501, 505])('does not count %i', async (code) => {
    await start([status(code)], { retries: 0, ...pauseAfter(1) });
    for (let index = 0; index < 3; index++) await rejection(relayWhole(engine, engineRequest()));
    expect(counts()).toEqual([3]);
  });

  const errorInReply = (code: number | undefined) => JSON.stringify({ error: { message: 'x', code } });

  test.each([
    [500, 3],
    [undefined, 3],
    [503, 1],
  ])('treats an error of status %s inside a reply of status 200 like that status', async (code, asked) => {
    await start([(response) => response.end(errorInReply(code))], { retries: 0, ...pauseAfter(1) });
    for (let index = 0; index < 3; index++) await rejection(relayWhole(engine, engineRequest()));
    expect(counts()).toEqual([asked]);
  });

  test.each([
    [500, 3],
    [503, 1],
  ])('treats an error frame of status %s in a stream like that status', async (code, asked) => {
    await start([(response) => startEventStream(response).end(frames(errorInReply(code)))], {
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
      const controller = new AbortController();
      const relayed = relayWhole(engine, engineRequest({}, controller.signal));
      await once(fakes[0]!.server, 'request-received');
      controller.abort(new Error('left'));
      await expect(relayed).rejects.toThrow('left');
    }
    expect(counts()).toEqual([3]);
  });
});

test('reports the name of each upstream that it tries', async () => {
  await start([resetConnection, succeed], { retries: 1 });
  const { request, context } = engineRequest();
  const named: string[] = [];
  await engine.relay!(request, { ...context, reportUpstream: (name, failure) => failure ?? named.push(name) });
  expect(named).toEqual(['a', 'b']);
});

test('reports the last upstream and its circuit breaker if all upstreams are paused', async () => {
  await start([status(503), status(503)], { retries: 1, circuitBreaker: { failures: 1, cooldownMs: 60_000 } });
  const reports: unknown[] = [];
  const ask = async (): Promise<unknown> => {
    reports.length = 0;
    const { request, context } = engineRequest();
    const reportUpstream = (...report: unknown[]): void => void reports.push(report);
    return rejection(engine.relay!(request, { ...context, reportUpstream }));
  };
  await ask();
  expect(reports).toEqual([['a'], ['a', 'status 503'], ['b'], ['b', 'status 503']]);
  expect(await ask()).toMatchObject({ status: 503, code: 'upstream_unavailable' });
  expect(reports).toEqual([['b', 'circuit breaker open']]);
  expect(counts()).toEqual([1, 1]);
});

test('reports a half-open circuit breaker while its probe is in progress', async () => {
  let respond: (() => void) | undefined;
  const later: RequestHandler = (response) => void (respond = () => json(response, 200, completion));
  await start([(...received) => (received[2] === 1 ? status(503) : later)(...received)], {
    ...{ retries: 0, circuitBreaker: { failures: 1, cooldownMs: 1 } },
  });
  await rejection(relayWhole(engine, engineRequest()));
  await expect.poll(() => engine.circuits()[0]?.retryAfterMs).toBe(0);
  const probe = relayWhole(engine, engineRequest());
  await expect.poll(() => respond).toBeDefined();
  const { request, context } = engineRequest();
  const reports: unknown[] = [];
  const reportUpstream = (...report: unknown[]): void => void reports.push(report);
  await rejection(engine.relay!(request, { ...context, reportUpstream }));
  expect(reports).toEqual([['a', 'circuit breaker half-open']]);
  respond?.();
  expect(await probe).toEqual(completion);
});

test('rejects an unknown model with 404', async () => {
  await start([succeed]);
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
    return { observedRequest: { request, context: { ...context, observer, reportUpstream } }, failures };
  };

  test('record each attempt, send its headers, and report failures', async () => {
    const { observer, lines } = recorder();
    await start([failOnce(status(503)), succeed]);
    const { observedRequest, failures } = observed(observer);
    await relayWhole(engine, observedRequest);
    expect(lines).toEqual([
      '1: a m /v1/chat/completions',
      '1 ended {"status":503,"failure":"status 503"}',
      '2: b m /v1/chat/completions',
      '2 ended {"status":200}',
    ]);
    expect(failures).toEqual(['a: status 503']);
    expect(fakes.map(({ requests }) => requests[0]?.headers['traceparent'])).toEqual(['attempt-1', 'attempt-2']);
  });

  test('of a stream end when it is read, with the reason if it ends early', async () => {
    const { observer, lines } = recorder();
    await start([(response) => void startEventStream(response).end(frames(chunk({ content: 'Hi' })))]);
    const { observedRequest, failures } = observed(observer, { stream: true });
    const stream = await relayStream(engine, observedRequest);
    expect(lines).toEqual(['1: a m /v1/chat/completions']);
    await drain(stream);
    expect(lines[1]).toBe('1 ended {"status":200,"failure":"stream ended early"}');
    expect(failures).toEqual(['a: stream ended early']);
  });
});
