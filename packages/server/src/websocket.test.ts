import { once } from 'node:events';
import { createServer as createHttp } from 'node:http';
import { Socket } from 'node:net';
import { responseStreamEventSchema } from '@modelwire/schema/testing';
import { listenForTest } from '@modelwire/vitest/listen';
import OpenAI from 'openai';
import { ResponsesWS } from 'openai/resources/responses/ws';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import type { ClientOptions } from 'ws';
import { memoryRateLimiter } from './limits/memory-rate-limiter.ts';
import type { ServerOptions } from './options/options.ts';
import type { RequestLogEntry } from './request-log.ts';
import { createServer } from './server.ts';
import { key } from './testing/listen.ts';
import { text } from './testing/responses.ts';
import { contentOf, failingEngine, says, scriptedEngine, slowly } from './testing/scripted-engine.ts';
import { webSocketUpgrades } from './websocket.ts';
import type { WebSocketOptions } from './websocket.ts';

type Event = Readonly<Record<string, unknown>> & { readonly type: string };

/** A server with an engine that replies with the number of messages of the request, unless the options set another engine. */
async function serve(options: Partial<ServerOptions> & WebSocketOptions = {}) {
  const { maxConnectionMs, pingIntervalMs, ...serverOptions } = options;
  const engine = scriptedEngine(({ messages }) => slowly(says('I have ', String(messages.length), ' messages.')));
  const server = createServer({ keys: [key], engines: [engine], ...serverOptions });
  const upgrades = webSocketUpgrades(server, {
    ...(maxConnectionMs !== undefined && { maxConnectionMs }),
    ...(pingIntervalMs !== undefined && { pingIntervalMs }),
  });
  const http = createHttp({ shouldUpgradeCallback: upgrades.accepts }, (_, response) => response.end('not upgraded'));
  http.on('upgrade', upgrades.listener);
  const host = await listenForTest(http);
  onTestFinished(async () => {
    await server.close(10);
    await upgrades.close();
  });
  return {
    url: `http://${host}`,
    socketUrl: `ws://${host}/v1/responses`,
    server,
    upgrades,
    engine,
  };
}

interface Client {
  readonly socket: WebSocket;
  send(event: Readonly<Record<string, unknown>>): void;
  /** The events of the next response, including the one that ends it. */
  nextResponse(): Promise<readonly Event[]>;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
}

async function connect(url: string, options: ClientOptions = {}): Promise<Client> {
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${key}` }, ...options });
  const events: Event[] = [];
  let notify = (): void => undefined;
  socket.on('message', (data: Buffer) => {
    events.push(JSON.parse(data.toString()) as Event);
    notify();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
  });
  await new Promise((resolve, reject) => {
    socket.on('open', resolve);
    socket.on('error', reject);
  });
  onTestFinished(() => socket.terminate());
  return {
    socket,
    closed,
    send: (event) => socket.send(JSON.stringify(event)),
    async nextResponse() {
      for (;;) {
        const end = events.findIndex(({ type }) => /^(?:response\.(?:completed|incomplete|failed)|error)$/.test(type));
        if (end !== -1) return events.splice(0, end + 1);
        await new Promise<void>((resolve) => (notify = resolve));
      }
    },
  };
}

const create = { type: 'response.create', model: 'scripted' };
const idOf = (events: readonly Event[]): string => (events.at(-1)?.['response'] as { readonly id: string }).id;
const textOf = (events: readonly Event[]): unknown =>
  events.find(({ type }) => type === 'response.output_text.done')?.['text'];

test('responses are created one after the other, each with the events of a stream', async () => {
  const { socketUrl } = await serve();
  const client = await connect(socketUrl);
  client.send({ ...create, input: 'One' });
  client.send({
    ...create,
    input: [
      { role: 'user', content: 'One' },
      { role: 'user', content: 'Two' },
    ],
  });
  for (const expected of ['I have 1 messages.', 'I have 2 messages.']) {
    const events = await client.nextResponse();
    for (const event of events) responseStreamEventSchema.parse(event);
    expect(events.map((event) => event['sequence_number'])).toEqual(events.map((_, index) => index));
    expect([events[0]?.type, events.at(-1)?.type]).toEqual(['response.created', 'response.completed']);
    expect(textOf(events)).toBe(expected);
  }
});

test('the SDK iterates over the events of its WebSocket client', async () => {
  const { url } = await serve();
  const socket = new ResponsesWS(new OpenAI({ apiKey: key, baseURL: `${url}/v1` }));
  onTestFinished(() => socket.close());
  const completed = new Promise<string>((resolve, reject) => {
    socket.on('response.completed', ({ response }) => resolve(response.status ?? ''));
    socket.on('error', reject);
  });
  socket.send({ type: 'response.create', model: 'scripted', input: 'Hello' });
  expect(await completed).toBe('completed');
});

test('a response that is not stored can be continued only on its connection', async () => {
  const { socketUrl } = await serve();
  const client = await connect(socketUrl);
  client.send({ ...create, input: 'One', store: false });
  const first = idOf(await client.nextResponse());
  client.send({ ...create, input: 'Two', previous_response_id: first });
  const events = await client.nextResponse();
  expect(textOf(events)).toBe('I have 3 messages.');
  const notFound = [
    { type: 'error', status: 400, error: { code: 'previous_response_not_found', param: 'previous_response_id' } },
  ];
  // A connection keeps only its newest response.
  client.send({ ...create, input: 'Again', previous_response_id: first });
  expect(await client.nextResponse()).toMatchObject(notFound);
  const other = await connect(socketUrl);
  other.send({ ...create, input: 'Three', previous_response_id: idOf(events) });
  expect(await other.nextResponse()).toMatchObject(notFound);
});

test('a failed response ends the conversation that it continued', async () => {
  const { socketUrl } = await serve();
  const client = await connect(socketUrl);
  client.send({ ...create, input: 'One', store: false });
  const previous_response_id = idOf(await client.nextResponse());
  const output = { type: 'function_call_output', call_id: 'unknown', output: 'x' };
  client.send({ ...create, previous_response_id, input: [output] });
  expect(await client.nextResponse()).toMatchObject([
    { type: 'error', status: 400, error: { param: 'input[0].call_id' } },
  ]);
  client.send({ ...create, previous_response_id, input: 'Go on' });
  expect(await client.nextResponse()).toMatchObject([{ error: { code: 'previous_response_not_found' } }]);
});

test.each([
  ['invalid JSON', '{', { code: 'invalid_json' }],
  ['not an object', '[]', { code: 'invalid_json' }],
  ['an unknown event', '{"type":"session.update"}', { param: 'type' }],
  ['an event with an unknown field', '{"type":"response.create","model":"scripted","speed":1}', { param: 'speed' }],
  [
    'a request for an unknown model',
    '{"type":"response.create","model":"none","input":"x"}',
    { code: 'model_not_found' },
  ],
  [
    'a request for a background response',
    '{"type":"response.create","model":"scripted","background":true}',
    { param: 'background' },
  ],
])('a message that is %s gets one error, and the connection stays open', async (_, message, error) => {
  const { socketUrl } = await serve();
  const client = await connect(socketUrl);
  client.socket.send(message);
  expect(await client.nextResponse()).toMatchObject([{ type: 'error', error }]);
  client.send({ ...create, input: 'One' });
  expect((await client.nextResponse()).at(-1)?.type).toBe('response.completed');
});

/** Frames of a client: an opcode, and a payload that is masked with zeros. */
const frame = (opcode: number, payload = ''): Buffer =>
  Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | payload.length, 0, 0, 0, 0]), Buffer.from(payload)]);

/** Sends bytes past the WebSocket client. */
function sendRaw({ socket }: Client, bytes: Uint8Array): void {
  const raw: unknown = Reflect.get(socket, '_socket');
  if (!(raw instanceof Socket)) throw new Error('the client has no socket');
  raw.write(bytes);
}

test('each message is a request: also an invalid or empty one counts against the rate limit and is logged', async () => {
  const entries: RequestLogEntry[] = [];
  const rateLimiter = memoryRateLimiter({ requestsPerMinute: 5, clock: { monotonic: () => 0 } });
  const { socketUrl, engine } = await serve({ rateLimiter, log: (entry) => entries.push(entry) });
  // The request to open the connection is the first.
  const client = await connect(socketUrl);
  for (const message of ['', '{', Buffer.from('binary'), '[]']) {
    client.socket.send(message);
    expect(await client.nextResponse()).toMatchObject([{ type: 'error', status: 400 }]);
  }
  client.send({ ...create, input: 'One' });
  client.socket.send('{');
  for (let refused = 0; refused < 2; refused++)
    expect(await client.nextResponse()).toMatchObject([{ type: 'error', error: { code: 'rate_limit_exceeded' } }]);
  expect(engine.asked).toEqual([]);
  expect(entries.map(({ status }) => status)).toEqual([101, 400, 400, 400, 400, 429, 429]);
});

test('a connection whose messages are refused 20 times in a row is closed, and the rest is not read', async () => {
  const entries: RequestLogEntry[] = [];
  const { socketUrl } = await serve({ log: (entry) => entries.push(entry) });
  const client = await connect(socketUrl);
  for (let index = 0; index < 19; index++) client.socket.send('{');
  client.send({ ...create, input: 'One' });
  for (let index = 0; index < 19; index++) expect(await client.nextResponse()).toMatchObject([{ type: 'error' }]);
  expect((await client.nextResponse()).at(-1)?.type).toBe('response.completed');
  entries.length = 0;
  sendRaw(client, Buffer.concat(Array.from({ length: 5000 }, () => frame(1))));
  for (let index = 0; index < 20; index++) expect(await client.nextResponse()).toMatchObject([{ type: 'error' }]);
  expect(await client.nextResponse()).toMatchObject([
    { type: 'error', status: 400, error: { code: 'websocket_error_limit_reached' } },
  ]);
  expect(await client.closed).toEqual({ code: 1008, reason: 'websocket_error_limit_reached' });
  expect(entries).toHaveLength(20);
});

test('between two messages that arrived at once, other work runs', async () => {
  const order: string[] = [];
  const { socketUrl } = await serve({
    log({ status }) {
      order.push(String(status));
      setImmediate(() => order.push('other'));
    },
  });
  const client = await connect(socketUrl);
  order.length = 0;
  sendRaw(client, Buffer.concat(Array.from({ length: 10 }, () => frame(1))));
  for (let index = 0; index < 10; index++) await client.nextResponse();
  expect(order.join(' ')).not.toContain('400 400');
});

test.each([
  ['pings', 0x9],
  ['pongs', 0xa],
])('a client that sends thousands of %s is disconnected', async (_, opcode) => {
  const { socketUrl } = await serve();
  const client = await connect(socketUrl);
  sendRaw(client, Buffer.concat(Array.from({ length: 1000 }, () => frame(opcode))));
  client.send({ ...create, input: 'One' });
  expect((await client.nextResponse()).at(-1)?.type).toBe('response.completed');
  sendRaw(client, frame(opcode));
  expect(await client.closed).toMatchObject({ code: 1006 });
});

test('a response that fails after its first event ends only with response.failed', async () => {
  const engine = failingEngine();
  const { socketUrl } = await serve({ engines: [engine] });
  const client = await connect(socketUrl);
  client.send({ ...create, input: 'One' });
  await once(client.socket, 'message');
  engine.fail();
  client.send({ ...create, model: 'none', input: 'Two' });
  expect((await client.nextResponse()).at(-1)).toMatchObject({
    type: 'response.failed',
    response: { status: 'failed', error: { code: 'internal_error' } },
  });
  expect(await client.nextResponse()).toMatchObject([{ type: 'error', status: 404 }]);
});

test('a connection is refused without a valid key, and for an origin that CORS does not allow', async () => {
  const { socketUrl, url } = await serve({ cors: { origins: ['https://app.example'] } });
  await expect(connect(socketUrl, { headers: {} })).rejects.toThrow('401');
  const authorization = `Bearer ${key}`;
  await expect(connect(socketUrl, { headers: { authorization, origin: 'https://evil.example' } })).rejects.toThrow(
    '403',
  );
  await connect(socketUrl, { headers: { authorization, origin: 'https://app.example' } });
  const upgrade = { connection: 'Upgrade', upgrade: 'h2c' };
  const { request } = await import('node:http');
  const status = new Promise((resolve) => {
    request(`${url}/v1/responses`, { headers: upgrade }, ({ statusCode }) => resolve(statusCode)).end();
  });
  expect(await status).toBe(200);
});

test('a client that disconnects aborts the generation of its response', async () => {
  const entries: RequestLogEntry[] = [];
  const engine = scriptedEngine(async function* (_request, { signal }) {
    yield text('Hi');
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    throw signal.reason;
  });
  const { socketUrl, server } = await serve({ engines: [engine], log: (entry) => entries.push(entry) });
  const client = await connect(socketUrl);
  client.send({ ...create, input: 'One' });
  await expect.poll(() => engine.asked).toHaveLength(1);
  client.socket.terminate();
  await expect.poll(() => server.stats().requestsInFlight).toBe(0);
  expect(entries.at(-1)).toMatchObject({ route: '/v1/responses', aborted: true });
});

test('a message that exceeds the body limit closes the connection with 1009', async () => {
  const { socketUrl } = await serve({ maxBodyBytes: 1000 });
  const client = await connect(socketUrl);
  client.send({ ...create, input: 'x'.repeat(2000) });
  expect(await client.closed).toMatchObject({ code: 1009 });
});

test('limits waiting messages: the socket is paused, and each message gets a response', async () => {
  const { socketUrl, engine } = await serve();
  const client = await connect(socketUrl);
  for (let index = 0; index < 100; index++) client.send({ ...create, input: `Message ${index}` });
  for (let index = 0; index < 100; index++)
    expect((await client.nextResponse()).at(-1)?.type).toBe('response.completed');
  expect(engine.asked.map(({ request }) => contentOf(request))).toEqual(
    Array.from({ length: 100 }, (_, index) => `Message ${index}`),
  );
});

test('a connection that was open for too long gets an error and is closed', async () => {
  const { socketUrl } = await serve({ maxConnectionMs: 50 });
  const client = await connect(socketUrl);
  expect(await client.nextResponse()).toMatchObject([
    { type: 'error', error: { code: 'websocket_connection_limit_reached' } },
  ]);
  expect(await client.closed).toEqual({ code: 1000, reason: 'websocket_connection_limit_reached' });
});

test('a client that does not respond to pings is disconnected', async () => {
  const { socketUrl } = await serve({ pingIntervalMs: 20 });
  const client = await connect(socketUrl, { headers: { authorization: `Bearer ${key}` }, autoPong: false });
  expect(await client.closed).toMatchObject({ code: 1006 });
});

test('a server that shuts down refuses new responses and closes its connections', async () => {
  const { socketUrl, server, upgrades } = await serve();
  const client = await connect(socketUrl);
  await server.drain(10);
  client.send({ ...create, input: 'One' });
  expect(await client.nextResponse()).toMatchObject([{ type: 'error', status: 503, error: { code: 'shutting_down' } }]);
  await upgrades.close();
  expect(await client.closed).toMatchObject({ code: 1001 });
});

test('the memory of messages and of control frames is released', async () => {
  const { socketUrl } = await serve({ maxBufferedBytes: 10_000 });
  const client = await connect(socketUrl);
  for (let index = 0; index < 50; index++) {
    client.socket.ping('x'.repeat(100));
    client.socket.pong('x'.repeat(100));
    client.send({ ...create, input: 'x'.repeat(1000), store: false });
    expect((await client.nextResponse()).at(-1)?.type).toBe('response.completed');
  }
  // Another connection needs the memory that the first one used.
  client.socket.terminate();
  const other = await connect(socketUrl);
  other.send({ ...create, input: 'x'.repeat(9000) });
  expect((await other.nextResponse()).at(-1)?.type).toBe('response.completed');
});
