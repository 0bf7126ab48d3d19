import { afterEach, expect, test } from 'vitest';
import { drainStream, engineRequest, rejection, relayStream, relayWhole } from '../test/engine-request.ts';
import { chunk, completion, fakeServer, frames, json, startEventStream } from '../test/fake-server.ts';
import type { FakeServer, RequestHandler } from '../test/fake-server.ts';
import { createUpstream } from '../src/index.ts';
import type { UpstreamEngine } from '../src/index.ts';

let fakes: FakeServer[] = [];
let engine: UpstreamEngine;

const good = [chunk({ role: 'assistant', content: '' }), chunk({ content: 'from b' }), chunk({}, 'stop')];

/** Model `m` at a server with a fault, with a good one as fallback. */
async function startWith(faulty: RequestHandler): Promise<void> {
  const succeed: RequestHandler = (response, { body }) => {
    if (body['stream'] === true) startEventStream(response).end(frames(...good, '[DONE]'));
    else json(response, 200, completion);
  };
  fakes = await Promise.all([faulty, succeed].map(fakeServer));
  engine = createUpstream({
    upstreams: fakes.map(({ baseURL }, index) => ({ name: index === 0 ? 'a' : 'b', baseURL })),
    models: { m: { upstreams: ['a'], fallback: ['b'] } },
    retries: 1,
  });
}

afterEach(async () => {
  await engine.close?.();
  await Promise.all(fakes.map((fake) => fake.close()));
});

const requestCounts = (): number[] => fakes.map(({ requests }) => requests.length);
const openedStream =
  (...payloads: string[]): RequestHandler =>
  (response) =>
    startEventStream(response).end(frames(...payloads, '[DONE]'));
const statusOf =
  (status: number): RequestHandler =>
  (response) =>
    response.writeHead(status, { 'content-type': 'text/html', 'retry-after': '1' }).end(`<html>${status}</html>`);

const serverFailures = [500, 502, 503, 504, 506, 507, 508, 511, 520, 521, 522, 523, 524, 525, 526, 527, 529, 530, 599];

test.each(serverFailures)('is used after status %i, for whole replies and for streams', async (status) => {
  await startWith(statusOf(status));
  expect(await relayWhole(engine, engineRequest())).toEqual(completion);
  expect(await drainStream(engine, engineRequest({ stream: true }))).toEqual({ payloads: good });
});

test.each([501, 505])('is not used after status %i, which concerns the request', async (status) => {
  await startWith(statusOf(status));
  expect(await rejection(relayWhole(engine, engineRequest()))).toMatchObject({ status });
  expect(await rejection(relayStream(engine, engineRequest({ stream: true })))).toMatchObject({ status });
  expect(requestCounts()).toEqual([2, 0]);
});

test.each<[body: unknown]>([
  [{ error: { message: 'quota exceeded', type: 'insufficient_quota', code: 429 } }],
  [{ error: 'no worker is available' }],
  [{ error: { message: 'no capacity', code: 503 } }],
  [{ object: 'error', message: 'lost the model', code: 404 }],
  [{ detail: 'Not Found' }],
  [{ error: { message: 'invalid key', code: 401 } }],
  [{ unrelated: true }],
  ['<html>'],
])('is used after status 200 with the body %j', async (body) => {
  await startWith((response) => json(response, 200, body));
  expect(await relayWhole(engine, engineRequest())).toEqual(completion);
  expect(await drainStream(engine, engineRequest({ stream: true }))).toEqual({ payloads: good });
});

test.each<[body: unknown, status: number]>([
  [{ error: { message: 'bad temperature', code: 400 } }, 400],
  [{ error: { message: 'bad temperature', type: 'invalid_request_error' } }, 502],
  [{ error: { message: 'maximum context length is 8 tokens', code: 'context_length_exceeded' } }, 400],
])('is not used after status 200 with an error that concerns the request: %j', async (body, status) => {
  await startWith((response) => json(response, 200, body));
  expect(await rejection(relayWhole(engine, engineRequest()))).toMatchObject({ status });
  expect(requestCounts()).toEqual([1, 0]);
});

test('is used after a whole reply that is cut off', async () => {
  await startWith((response) => {
    response.writeHead(200, { 'content-length': 100 }).write('{"choices"', () => response.socket?.destroy());
  });
  expect(await relayWhole(engine, engineRequest())).toEqual(completion);
});

const role = chunk({ role: 'assistant', content: '' });
const failure = JSON.stringify({ error: { message: 'no capacity', type: 'server_error', code: 503 } });

test.each<[what: string, handler: RequestHandler]>([
  ['an error as the first frame', openedStream(failure)],
  ['an error after pings', (response) => startEventStream(response).end(`: ping\n\n: ping\n\n${frames(failure)}`)],
  ['an error after the role', openedStream(role, failure)],
  ['an error after a frame without choices', openedStream('{"type":"ping"}', failure)],
  ['an event named error', (response) => startEventStream(response).end('event: error\ndata: {"message":"x"}\n\n')],
  ['a frame that is no JSON object', openedStream(role, '<html>')],
  ['an empty stream', (response) => startEventStream(response).end()],
  [
    'a connection that is reset after the role',
    (response) => startEventStream(response).write(frames(role), () => response.socket?.resetAndDestroy()),
  ],
])('is used for a stream that fails before its first token: %s', async (_, handler) => {
  await startWith(handler);
  expect(await drainStream(engine, engineRequest({ stream: true }))).toEqual({ payloads: good });
  expect(requestCounts()).toEqual([1, 1]);
});

test.each([
  { content: 'a' },
  { reasoning_content: 'a' },
  { tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: '{' } }] },
  { content: [{ type: 'text', text: 'a' }] },
])('is not used after a token: %j', async (delta) => {
  await startWith(openedStream(role, chunk(delta), failure));
  const { payloads, error } = await drainStream(engine, engineRequest({ stream: true }));
  expect(payloads).toEqual([role, expect.any(String)]);
  expect(error).toMatchObject({ status: 503, message: 'no capacity' });
  expect(requestCounts()).toEqual([1, 0]);
});

test('is not waited for when many frames have no token', async () => {
  const empty = Array.from({ length: 40 }, () => role);
  await startWith((response) => startEventStream(response).write(frames(...empty)));
  const stream = await relayStream(engine, engineRequest({ stream: true }));
  expect((await stream.next()).value).toContainEqual(expect.objectContaining({ text: role }));
  await stream.return?.();
});

test('names each upstream and why it failed', async () => {
  await startWith(openedStream(JSON.stringify({ error: { message: 'quota', code: 429 } })));
  const { request, context } = engineRequest({ stream: true });
  const reports: (string | undefined)[][] = [];
  const reportUpstream = (name: string, reason?: string): void => void reports.push([name, reason]);
  await engine.relay?.(request, { ...context, reportUpstream });
  expect(reports).toEqual([
    ['a', undefined],
    ['a', 'an error in a reply'],
    ['b', undefined],
  ]);
});
