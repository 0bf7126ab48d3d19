import { afterEach, describe, expect, test } from 'vitest';
import {
  collectEvents,
  drainStream,
  engineRequest,
  rejection,
  relayStream,
  relayWhole,
} from '../../test/engine-request.ts';
import { chunk, completion, fakeServer, frames, json, startEventStream } from '../../test/fake-server.ts';
import type { FakeServer, RequestHandler } from '../../test/fake-server.ts';
import { createUpstream } from '../index.ts';
import type { UpstreamEngine } from '../index.ts';

let fakes: FakeServer[] = [];
let engine: UpstreamEngine;

const good = [chunk({ role: 'assistant', content: '' }), chunk({ content: 'from b' }), chunk({}, 'stop')];

const succeed: RequestHandler = (response, { body }) => {
  if (body['stream'] === true) startEventStream(response).end(frames(...good, '[DONE]'));
  else json(response, 200, completion);
};

/** Model `m` at a server with a fault, with a good one as fallback. */
async function startWith(faulty: RequestHandler, fallback: RequestHandler = succeed): Promise<void> {
  fakes = await Promise.all([faulty, fallback].map(fakeServer));
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
  [{ choices: [{ index: 0, message: { content: '' }, finish_reason: 'error' }] }],
  [{ choices: [{ index: 0, message: { content: 'Hel' }, finish_reason: 'abort' }] }],
  [{ choices: [{ index: 0, message: { content: 'Hel' }, error: { code: 502, message: 'gone' } }] }],
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

/** A choice that ends with an error, as gateways send it. */
const failedChoice = JSON.stringify({
  choices: [{ index: 0, delta: {}, error: { code: 502, message: 'the provider is gone' }, finish_reason: 'error' }],
});

test.each<[what: string, handler: RequestHandler]>([
  ['an error as the first frame', openedStream(failure)],
  ['an error after pings', (response) => startEventStream(response).end(`: ping\n\n: ping\n\n${frames(failure)}`)],
  ['an error after the role', openedStream(role, failure)],
  ['an error after a frame without choices', openedStream('{"type":"ping"}', failure)],
  ['an event named error', (response) => startEventStream(response).end('event: error\ndata: {"message":"x"}\n\n')],
  ['a frame that is no JSON object', openedStream(role, '<html>')],
  ['the finish reason error', openedStream(role, chunk({}, 'error'))],
  ['the finish reason abort beside an empty text', openedStream(role, chunk({ content: '' }, 'abort'))],
  ['an error in the choice', openedStream(role, failedChoice)],
  ['an empty stream', (response) => startEventStream(response).end()],
  [
    'a connection that is reset after the role',
    (response) => startEventStream(response).write(frames(role), () => response.socket?.resetAndDestroy()),
  ],
])('is used for a stream that fails before its first token: %s', async (_, handler) => {
  await startWith(handler);
  expect(await drainStream(engine, engineRequest({ stream: true }))).toEqual({ payloads: good });
  expect(requestCounts()).toEqual([1, 1]);
  expect(await collectEvents(engine, engineRequest())).toContainEqual({ type: 'text', choice: 0, text: 'from b' });
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

describe('for a native response', () => {
  const created = { type: 'response.created', response: { status: 'in_progress' } };
  const completed = { type: 'response.completed', response: { status: 'completed', output: [] } };
  const beginning = ['keepalive', 'response.output_item.added', 'response.content_part.added'].map((type) => ({
    type,
  }));
  const delta = { type: 'response.output_text.delta', delta: 'Hel' };
  const failed = (error: object): object => ({ type: 'response.failed', response: { status: 'failed', error } });
  const sent = (...events: object[]): string => frames(...events.map((event) => JSON.stringify(event)));

  async function respond(...events: object[]): Promise<unknown[]> {
    let count = 0;
    const handler: RequestHandler = (response) =>
      startEventStream(response).end(count++ === 0 ? sent(...events) : sent(created, completed));
    await startWith(handler, handler);
    const received: unknown[] = [];
    for await (const some of engine.respond({ input: 'Hi' }, engineRequest().context)) received.push(...some);
    return received;
  }

  test.each([{ code: 'server_error', message: 'lost' }, { code: 'rate_limit_exceeded', message: 'busy' }, {}])(
    'is used if it fails before its first output: %j',
    async (error) => {
      expect(await respond(created, ...beginning, failed(error))).toEqual([created, completed]);
    },
  );

  test.each([
    { code: 'invalid_prompt', message: 'no' },
    { code: 'image_too_large', message: 'no' },
    { code: 'context_length_exceeded', message: 'no' },
  ])('is not used for a failure that concerns the request: %j', async (error) => {
    expect(await rejection(respond(created, failed(error)))).toMatchObject({ code: error.code, message: 'no' });
    expect(requestCounts()).toEqual([1, 0]);
  });

  test('is not used after output', async () => {
    const error = { code: 'server_error', message: 'lost' };
    expect(await rejection(respond(created, delta, failed(error)))).toMatchObject({ status: 502, ...error });
    expect(requestCounts()).toEqual([1, 0]);
  });
});
