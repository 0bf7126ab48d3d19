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
import type { ChatEngine, RelayedChunk } from '@modelwire/ports';
import { certificate } from '../test/certificate.ts';
import { engineRequest, drain, rejection, relayStream, relayWhole } from '../test/engine-request.ts';
import { chunk, completion, startEventStream, fakeServer, frames, json } from '../test/fake-server.ts';
import type { RequestHandler, FakeServer } from '../test/fake-server.ts';
import type { UpstreamServer } from './presets/options.ts';
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

async function serve(handler: RequestHandler, server: Partial<UpstreamServer> = {}): Promise<Served> {
  const fake = await fakeServer(handler);
  const sockets: Socket[] = [];
  fake.server.on('connection', (socket: Socket) => sockets.push(socket));
  onTestFinished(() => fake.close());
  return { fake, engine: upstream(fake.baseURL, server), sockets };
}

/** A TCP server: `reply` is called with the connection for each request. */
async function serveBytes(
  reply: (socket: Socket, connection: number) => void,
): Promise<{ server: Server; engine: ChatEngine }> {
  let connections = 0;
  const server = createServer((socket) => {
    const connection = ++connections;
    socket.on('error', () => undefined);
    socket.on('data', () => reply(socket, connection));
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

test('consecutive requests share connections, streamed or not', async () => {
  const { engine, sockets } = await serve((response, received) => {
    if (received.body['stream'] === true)
      startEventStream(response).end(frames(chunk({ content: 'a' }, 'stop'), '[DONE]'));
    else json(response, 200, completion);
  });
  for (let index = 0; index < 5; index++) {
    await relayWhole(engine, engineRequest());
    await drain(await relayStream(engine, engineRequest({ stream: true })));
  }
  expect(sockets.length).toBeLessThanOrEqual(2);
});

test('a completely read error leaves its connection to the next request', async () => {
  const { engine, sockets } = await serve((response) => json(response, 400, { error: { message: 'No.' } }));
  for (let index = 0; index < 5; index++) await rejection(relayWhole(engine, engineRequest()));
  expect(sockets.length).toBeLessThanOrEqual(2);
});

test('concurrent requests have separate connections', async () => {
  const { engine, sockets } = await serve((response) => setTimeout(() => whole(response, undefined!, 0), 20));
  await Promise.all(Array.from({ length: 5 }, () => relayWhole(engine, engineRequest())));
  expect(sockets).toHaveLength(5);
});

test('the body of a request that waits for a connection is made when there is one', async () => {
  let reply: () => void = () => undefined;
  const { engine, fake } = await serve(
    (response, _, count) => {
      reply = () => json(response, 200, completion);
      if (count > 1) reply();
    },
    { connections: 1 },
  );
  let serialized = 0;
  const counted = { toJSON: () => ++serialized };
  const first = relayWhole(engine, engineRequest({ which: counted }));
  await once(fake.server, 'request-received');
  const second = relayWhole(engine, engineRequest({ which: counted }));
  await sleep(0);
  expect(serialized).toBe(1);
  reply();
  await Promise.all([first, second]);
  expect(serialized).toBe(2);
});

test('a body that cannot be made frees its connection', async () => {
  const { engine } = await serve(whole, { connections: 1 });
  const failure = new Error('no text');
  const failing = {
    toJSON() {
      throw failure;
    },
  };
  await expect(relayWhole(engine, engineRequest({ which: failing }))).rejects.toBe(failure);
  await expect(relayWhole(engine, engineRequest())).resolves.toBeDefined();
});

test('opens at most the configured number of connections; other requests are queued in order', async () => {
  let active = 0;
  let maxActive = 0;
  const { engine, fake, sockets } = await serve(
    (response) => {
      maxActive = Math.max(maxActive, ++active);
      setTimeout(() => {
        active--;
        json(response, 200, completion);
      }, 5);
    },
    { connections: 2 },
  );
  await Promise.all(Array.from({ length: 9 }, (_, which) => relayWhole(engine, engineRequest({ which }))));
  expect(maxActive).toBe(2);
  expect(sockets).toHaveLength(2);
  const order = fake.requests.map(({ body }) => Number(body['which']));
  expect(order.every((which, index) => Math.abs(which - index) <= 1)).toBe(true);
});

test('a queued request gets a connection when the previous one fails', async () => {
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

test('replaces a connection that the upstream closes between two requests', async () => {
  const { engine, sockets } = await serve(whole);
  await relayWhole(engine, engineRequest());
  sockets[0]?.destroy();
  // The end arrives in the same event-loop turn in which the next request is made.
  await new Promise((resolve) => sockets[0]?.once('close', resolve));
  expect(await relayWhole(engine, engineRequest())).toEqual(completion);
  expect(sockets).toHaveLength(2);
});

test('does not reuse a connection that the upstream closes right after a reply, without announcing it', async () => {
  let connections = 0;
  const { engine } = await serveBytes((socket, connection) => {
    connections = connection;
    socket.end(replyOf(String(connection)));
  });
  for (let index = 1; index <= 20; index++)
    expect(await relayWhole(engine, engineRequest())).toMatchObject({ id: String(index) });
  expect(connections).toBe(20);
});

test('does not reuse a connection whose keep-alive timeout is too short', async () => {
  let connections = 0;
  const { engine } = await serveBytes((socket, connection) => {
    connections = connection;
    socket.write(replyOf(String(connection), 'keep-alive: timeout=2\r\n'));
  });
  await relayWhole(engine, engineRequest());
  await relayWhole(engine, engineRequest());
  expect(connections).toBe(2);
});

test('closes an idle connection before the upstream does', async () => {
  let closedMs = 0;
  const { engine } = await serveBytes((socket) => {
    const repliedAt = performance.now();
    socket.on('close', () => (closedMs = performance.now() - repliedAt));
    socket.write(replyOf('1', 'keep-alive: timeout=3\r\n'));
  });
  await relayWhole(engine, engineRequest());
  await expect.poll(() => closedMs, { timeout: 10_000 }).toBeGreaterThan(900);
});

test.each([
  ['together with the first', 0],
  ['later', 10],
])('discards a second reply that is sent %s', async (_, delayMs) => {
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

test('discards a reply that arrived before its request was sent', async () => {
  let peer: Socket | undefined;
  const { engine } = await serveBytes((socket, connection) => {
    peer = socket;
    socket.write(replyOf(connection === 1 ? 'first' : 'second'));
  });
  await relayWhole(engine, engineRequest());
  peer?.write(replyOf('unasked'));
  // The request is made before the received bytes are read.
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
])('sends bodies of %s unchanged, short and long', async (_, text) => {
  const { engine, fake } = await serve(whole);
  for (const count of [1, 200_000]) {
    await relayWhole(engine, engineRequest({ long: text.repeat(count) }));
    expect(fake.requests.at(-1)?.body['long']).toBe(text.repeat(count));
  }
  expect(fake.requests[0]?.headers).toMatchObject({ connection: 'keep-alive' });
  expect(fake.requests[0]?.headers['content-length']).toBe(String(Buffer.byteLength(fake.requests[0]?.text ?? '')));
});

function memoryMiB(): number {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
}

test('does not retain the body of a request while its reply arrives', async () => {
  const { engine } = await serveBytes((socket) => {
    if (socket.bytesWritten > 0) return;
    socket.write(`HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n${frames(chunk({ content: 'a' }))}`);
  });
  const client = new AbortController();
  const before = memoryMiB();
  const streams: AsyncIterator<readonly RelayedChunk[]>[] = [];
  for (let index = 0; index < 4; index++) {
    const stream = await relayStream(
      engine,
      engineRequest({ stream: true, long: 'a'.repeat(8 * 2 ** 20) }, client.signal),
    );
    await stream.next();
    streams.push(stream);
  }
  try {
    await expect.poll(() => memoryMiB() - before).toBeLessThan(streams.length * 4);
  } finally {
    client.abort();
  }
});

test('removes a queued request and its body when its client disconnects', async () => {
  let reply: () => void = () => undefined;
  const { engine, fake } = await serve((response) => (reply = () => whole(response, undefined!, 0)), {
    connections: 1,
  });
  const first = relayWhole(engine, engineRequest());
  await once(fake.server, 'request-received');
  const client = new AbortController();
  const before = memoryMiB();
  const waiting = Array.from({ length: 4 }, () =>
    relayWhole(engine, engineRequest({ long: 'a'.repeat(8 * 2 ** 20) }, client.signal)),
  );
  const last = relayWhole(engine, engineRequest({ which: 'last' }));
  await sleep(10);
  client.abort();
  await Promise.allSettled(waiting);
  await expect.poll(() => memoryMiB() - before).toBeLessThan(waiting.length * 4);
  const next = once(fake.server, 'request-received');
  reply();
  await first;
  await next;
  reply();
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

test('verifies the host and the issuer of a TLS certificate, and requests it by server name', async () => {
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

test('sends a configured host instead of that of the URL', async () => {
  const { engine, fake } = await serve(whole, { headers: { Host: 'models.example' } });
  await relayWhole(engine, engineRequest());
  expect(fake.requests[0]?.headers.host).toBe('models.example');
});

test('does not send a request ID with a line break', async () => {
  const { engine, fake } = await serve(whole);
  const { request, context } = engineRequest();
  const id = 'req_1\r\nx-injected: 1';
  await expect(engine.relay?.(request, { ...context, requestId: id })).rejects.toMatchObject({ status: 503 });
  expect(fake.requests).toEqual([]);
});

test('reports a connection that is not established as a connect timeout', async () => {
  // A TLS handshake without a response.
  const { server } = await serveBytes(() => undefined);
  const { port } = server.address() as AddressInfo;
  const engine = upstream(`https://127.0.0.1:${port}/v1`, { timeouts: { connect: 100 } });
  expect(await rejection(relayWhole(engine, engineRequest()))).toMatchObject({
    status: 503,
    code: 'upstream_unavailable',
  });
});
