import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { TLSSocket } from 'node:tls';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import type { ChatEngine } from '@modelwire/ports';
import { certificate } from '../test/certificate.ts';
import { engineRequest, drain, rejection, relayStream, relayWhole } from '../test/engine-request.ts';
import { chunk, completion, startEventStream, fakeServer, frames, json } from '../test/fake-server.ts';
import type { RequestHandler, FakeServer } from '../test/fake-server.ts';
import type { UpstreamServer } from './options.ts';
import { createUpstream } from './upstream.ts';

/** An engine that tries each request once. */
function upstream(baseURL: string, server: Partial<UpstreamServer> = {}): ChatEngine {
  const engine = createUpstream({ upstreams: [{ baseURL, ...server }], models: { m: {} }, retries: 0 });
  onTestFinished(() => engine.close?.());
  return engine;
}

interface Served {
  readonly fake: FakeServer;
  readonly engine: ChatEngine;
  readonly sockets: readonly Socket[];
}

async function serve(answering: RequestHandler, server: Partial<UpstreamServer> = {}): Promise<Served> {
  const fake = await fakeServer(answering);
  const sockets: Socket[] = [];
  fake.server.on('connection', (socket: Socket) => sockets.push(socket));
  onTestFinished(() => fake.close());
  return { fake, engine: upstream(fake.baseURL, server), sockets };
}

/** A server of bytes: `answer` gets each connection when a request of it has arrived. */
async function serveBytes(
  answer: (socket: Socket, connection: number) => void,
): Promise<{ server: Server; engine: ChatEngine }> {
  let connections = 0;
  const server = createServer((socket) => {
    const connection = ++connections;
    socket.on('error', () => undefined);
    socket.on('data', () => answer(socket, connection));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { server, engine: upstream(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`) };
}

function replyOf(id: string, headers = ''): string {
  const body = JSON.stringify({ ...completion, id });
  return `HTTP/1.1 200 OK\r\n${headers}content-length: ${body.length}\r\n\r\n${body}`;
}

const whole: RequestHandler = (response) => json(response, 200, completion);

test('requests in a row share a connection, whole and streamed', async () => {
  const { engine, sockets } = await serve((response, seen) => {
    if (seen.body['stream'] === true) startEventStream(response).end(frames(chunk({ content: 'a' }, 'stop'), '[DONE]'));
    else json(response, 200, completion);
  });
  for (let index = 0; index < 3; index++) {
    await relayWhole(engine, engineRequest());
    await drain(await relayStream(engine, engineRequest({ stream: true })));
  }
  expect(sockets).toHaveLength(1);
});

test('an error that was read to its end leaves its connection to the next request', async () => {
  const { engine, sockets } = await serve((response) => json(response, 400, { error: { message: 'No.' } }));
  for (let index = 0; index < 3; index++) await rejection(relayWhole(engine, engineRequest()));
  expect(sockets).toHaveLength(1);
});

test('requests at the same time have a connection each', async () => {
  const { engine, sockets } = await serve((response) => setTimeout(() => whole(response, undefined!, 0), 20));
  await Promise.all(Array.from({ length: 5 }, () => relayWhole(engine, engineRequest())));
  expect(sockets).toHaveLength(5);
});

test('at most as many connections as configured are open; other requests wait in their order', async () => {
  let active = 0;
  let most = 0;
  const { engine, fake, sockets } = await serve(
    (response) => {
      most = Math.max(most, ++active);
      setTimeout(() => {
        active--;
        json(response, 200, completion);
      }, 5);
    },
    { connections: 2 },
  );
  await Promise.all(Array.from({ length: 9 }, (_, which) => relayWhole(engine, engineRequest({ which }))));
  expect(most).toBe(2);
  expect(sockets).toHaveLength(2);
  const order = fake.requests.map(({ body }) => Number(body['which']));
  expect(order.every((which, index) => Math.abs(which - index) <= 1)).toBe(true);
});

test('a request that waits gets a connection when the one before breaks off', async () => {
  const { engine } = await serve(
    (response, _, count) => (count === 1 ? response.socket?.destroy() : whole(response, undefined!, 0)),
    { connections: 1 },
  );
  const [first, second] = await Promise.allSettled([
    relayWhole(engine, engineRequest()),
    relayWhole(engine, engineRequest()),
  ]);
  expect(first.status).toBe('rejected');
  expect(second).toMatchObject({ status: 'fulfilled', value: completion });
});

test('a connection that the upstream closes between two requests is replaced', async () => {
  const { engine, sockets } = await serve(whole);
  await relayWhole(engine, engineRequest());
  sockets[0]?.destroy();
  // The end arrives in the same turn of the event loop in which the next request is made.
  await new Promise((resolve) => sockets[0]?.once('close', resolve));
  expect(await relayWhole(engine, engineRequest())).toEqual(completion);
  expect(sockets).toHaveLength(2);
});

test('a connection that the upstream closes right after a reply, without a word, is not used again', async () => {
  let connections = 0;
  const { engine } = await serveBytes((socket, connection) => {
    connections = connection;
    socket.end(replyOf(String(connection)));
  });
  for (let index = 1; index <= 20; index++)
    expect(await relayWhole(engine, engineRequest())).toMatchObject({ id: String(index) });
  expect(connections).toBe(20);
});

test('a connection is not used again when the upstream says that it closes it soon', async () => {
  let connections = 0;
  const { engine } = await serveBytes((socket, connection) => {
    connections = connection;
    socket.write(replyOf(String(connection), 'keep-alive: timeout=2\r\n'));
  });
  await relayWhole(engine, engineRequest());
  await relayWhole(engine, engineRequest());
  expect(connections).toBe(2);
});

test('a connection is closed before the upstream closes it', async () => {
  let closedMs = 0;
  const { engine } = await serveBytes((socket) => {
    const answered = performance.now();
    socket.on('close', () => (closedMs = performance.now() - answered));
    socket.write(replyOf('1', 'keep-alive: timeout=3\r\n'));
  });
  await relayWhole(engine, engineRequest());
  await expect.poll(() => closedMs, { timeout: 10_000 }).toBeGreaterThan(900);
});

test.each([
  ['with the reply', 0],
  ['later', 10],
])('a second reply that is sent %s is nobody’s', async (_, delayMs) => {
  const { engine } = await serveBytes((socket, connection) => {
    if (connection > 1) socket.write(replyOf('second'));
    else if (delayMs === 0) socket.write(replyOf('first') + replyOf('unasked'));
    else {
      socket.write(replyOf('first'));
      setTimeout(() => socket.write(replyOf('unasked')), delayMs);
    }
  });
  expect(await relayWhole(engine, engineRequest())).toMatchObject({ id: 'first' });
  await sleep(2 * delayMs);
  expect(await relayWhole(engine, engineRequest())).toMatchObject({ id: 'second' });
});

test('a reply that arrived before its request was sent is nobody’s', async () => {
  let peer: Socket | undefined;
  const { engine } = await serveBytes((socket, connection) => {
    peer = socket;
    socket.write(replyOf(connection === 1 ? 'first' : 'second'));
  });
  await relayWhole(engine, engineRequest());
  peer?.write(replyOf('unasked'));
  // The request is made before the bytes that wait are read.
  const next = await new Promise((resolve) => {
    setTimeout(() => {
      for (const until = performance.now() + 50; performance.now() < until;);
      resolve(relayWhole(engine, engineRequest()));
    }, 0);
  });
  expect(next).toMatchObject({ id: 'second' });
});

test.each([
  ['ASCII', 'a'],
  ['other characters', 'ü→😀'],
])('sends bodies of %s, short and long, as they are', async (_, text) => {
  const { engine, fake } = await serve(whole);
  for (const count of [1, 200_000]) {
    await relayWhole(engine, engineRequest({ long: text.repeat(count) }));
    expect(fake.requests.at(-1)?.body['long']).toBe(text.repeat(count));
  }
  expect(fake.requests[0]?.headers).toMatchObject({ connection: 'keep-alive' });
  expect(fake.requests[0]?.headers['content-length']).toBe(String(Buffer.byteLength(fake.requests[0]?.text ?? '')));
});

function heapMiB(): number {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  collectGarbage();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

test('the body of a request is not kept while its reply arrives', async () => {
  const { engine } = await serveBytes((socket) => {
    if (socket.bytesWritten > 0) return;
    socket.write(`HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n${frames(chunk({ content: 'a' }))}`);
  });
  const client = new AbortController();
  const before = heapMiB();
  const streams: AsyncIterator<readonly string[]>[] = [];
  for (let index = 0; index < 4; index++) {
    const stream = await relayStream(
      engine,
      engineRequest({ stream: true, long: 'a'.repeat(8 * 2 ** 20) }, client.signal),
    );
    await stream.next();
    streams.push(stream);
  }
  try {
    await expect.poll(() => heapMiB() - before).toBeLessThan(streams.length * 4);
  } finally {
    client.abort();
  }
});

test('a request that waits for a connection leaves the queue with its body when its client disconnects', async () => {
  let answer: () => void = () => undefined;
  const { engine, fake } = await serve((response) => (answer = () => whole(response, undefined!, 0)), {
    connections: 1,
  });
  const first = relayWhole(engine, engineRequest());
  await once(fake.server, 'request-received');
  const client = new AbortController();
  const before = heapMiB();
  const waiting = Array.from({ length: 4 }, () =>
    relayWhole(engine, engineRequest({ long: 'a'.repeat(8 * 2 ** 20) }, client.signal)),
  );
  const last = relayWhole(engine, engineRequest({ which: 'last' }));
  await sleep(10);
  client.abort();
  await Promise.allSettled(waiting);
  await expect.poll(() => heapMiB() - before).toBeLessThan(waiting.length * 4);
  answer();
  await first;
  await once(fake.server, 'request-received');
  answer();
  await last;
  expect(fake.requests.map(({ body }) => body['which'])).toEqual([undefined, 'last']);
});

async function serveTls(server: Partial<UpstreamServer>): Promise<{ engine: ChatEngine; names: unknown[] }> {
  const names: unknown[] = [];
  const listener = createTlsServer(certificate, (_, response) => json(response, 200, completion));
  listener.on('secureConnection', ({ servername }: TLSSocket) => names.push(servername));
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  onTestFinished(() => void listener.close());
  const { port } = listener.address() as AddressInfo;
  return { engine: upstream(`https://127.0.0.1:${port}/v1`, server), names };
}

test('over TLS, the certificate is that of the host, which is asked for by its name, and its issuer is known', async () => {
  const { engine, names } = await serveTls({ headers: { Host: 'models.example:443' } });
  const { message } = await rejection(relayWhole(engine, engineRequest()));
  expect(message).toContain('is unreachable (DEPTH_ZERO_SELF_SIGNED_CERT)');

  const issuers = getCACertificates('default');
  onTestFinished(() => setDefaultCACertificates(issuers));
  setDefaultCACertificates([...issuers, certificate.cert]);
  expect(await relayWhole(engine, engineRequest())).toEqual(completion);
  expect(names).toEqual(['models.example']);

  const other = await serveTls({ headers: { Host: 'other.example' } });
  const address = await serveTls({});
  for (const { engine } of [other, address]) {
    const { message } = await rejection(relayWhole(engine, engineRequest()));
    expect(message).toContain('is unreachable (ERR_TLS_CERT_ALTNAME_INVALID)');
  }
});

test('a configured host replaces that of the URL', async () => {
  const { engine, fake } = await serve(whole, { headers: { Host: 'models.example' } });
  await relayWhole(engine, engineRequest());
  expect(fake.requests[0]?.headers.host).toBe('models.example');
});

test('a request ID that would end its line is not sent', async () => {
  const { engine, fake } = await serve(whole);
  const { request, context } = engineRequest();
  const id = 'req_1\r\nx-injected: 1';
  await expect(engine.relay?.(request, { ...context, requestId: id })).rejects.toMatchObject({ status: 503 });
  expect(fake.requests).toEqual([]);
});

test('a connection that nobody accepts is a connect timeout', async () => {
  // A TLS handshake that is never answered.
  const { server } = await serveBytes(() => undefined);
  const { port } = server.address() as AddressInfo;
  const engine = upstream(`https://127.0.0.1:${port}/v1`, { timeouts: { connect: 100 } });
  expect(await rejection(relayWhole(engine, engineRequest()))).toMatchObject({
    status: 503,
    code: 'upstream_unavailable',
  });
});
