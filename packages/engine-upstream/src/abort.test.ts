import { getEventListeners, once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { ChatEngine } from '@modelwire/ports';
import { engineRequest, drain, collectEvents, relayStream, relayWhole } from '../test/engine-request.ts';
import { chunk, completion, startEventStream, fakeServer, frames, json } from '../test/fake-server.ts';
import type { RequestHandler, FakeServer } from '../test/fake-server.ts';
import type { UpstreamServer } from './options.ts';
import { createUpstream } from './upstream.ts';

let fake: FakeServer;
let engine: ChatEngine;

async function start(answering: RequestHandler, server: Partial<UpstreamServer> = {}): Promise<void> {
  fake = await fakeServer(answering);
  engine = createUpstream({ upstreams: [{ baseURL: fake.baseURL, ...server }], models: { m: {} }, retries: 5 });
}

afterEach(async () => {
  await engine.close?.();
  await fake.close();
});

const left = new Error('the client disconnected');
const silent: RequestHandler = () => undefined;
const begun: RequestHandler = (response) => startEventStream(response).write(frames(chunk({ content: 'a' })));

describe('an abort reaches the upstream', () => {
  test('before anything is sent: it never hears of it', async () => {
    await start(silent);
    await expect(relayWhole(engine, engineRequest({}, AbortSignal.abort(left)))).rejects.toBe(left);
    expect(fake.requests).toEqual([]);
  });

  test('while the request waits for a connection, which others keep', async () => {
    let answer: () => void = () => undefined;
    await start(
      (response, _, count) => {
        answer = () => json(response, 200, completion);
        if (count > 1) answer();
      },
      { connections: 1 },
    );
    const first = relayWhole(engine, engineRequest());
    await once(fake.server, 'request-received');
    const leaving = new AbortController();
    const second = relayWhole(engine, engineRequest({ which: 'second' }, leaving.signal));
    const third = relayWhole(engine, engineRequest({ which: 'third' }));
    leaving.abort(left);
    await expect(second).rejects.toBe(left);
    answer();
    await Promise.all([first, third]);
    expect(fake.requests.map(({ body }) => body['which'])).toEqual([undefined, 'third']);
  });

  test('while it connects', async () => {
    const mute = createServer().listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const { port } = mute.address() as AddressInfo;
    // A TLS handshake that nobody answers.
    await start(silent, { baseURL: `https://127.0.0.1:${port}/v1` });
    const leaving = new AbortController();
    const relayed = relayWhole(engine, engineRequest({}, leaving.signal));
    const [socket] = (await once(mute, 'connection')) as [Socket];
    // A reset is an end, too.
    socket.resume().on('error', () => undefined);
    leaving.abort(left);
    await expect(relayed).rejects.toBe(left);
    await once(socket, 'close');
    mute.close();
  });

  test('before a connection without TLS is open, and the next request succeeds', async () => {
    await start((response) => json(response, 200, completion));
    const leaving = new AbortController();
    const relayed = relayWhole(engine, engineRequest({}, leaving.signal));
    setImmediate(() => leaving.abort(left));
    await expect(relayed).rejects.toBe(left);
    await expect(relayWhole(engine, engineRequest({}))).resolves.toBeDefined();
  });

  test('while it waits for the reply', async () => {
    await start(silent);
    const leaving = new AbortController();
    const relayed = relayWhole(engine, engineRequest({}, leaving.signal));
    await once(fake.server, 'request-received');
    leaving.abort(left);
    await expect(relayed).rejects.toBe(left);
    await once(fake.server, 'response-closed');
    expect(fake.requests[0]?.isAborted).toBe(true);
  });

  test('in the middle of a whole reply', async () => {
    await start((response) => response.writeHead(200, { 'content-length': 100 }).write('{"choices":'));
    const leaving = new AbortController();
    const relayed = relayWhole(engine, engineRequest({}, leaving.signal));
    await once(fake.server, 'request-received');
    setImmediate(() => leaving.abort(left));
    await expect(relayed).rejects.toBe(left);
    await once(fake.server, 'response-closed');
    expect(fake.requests[0]?.isAborted).toBe(true);
  });

  test('in the middle of a stream, also when nobody is reading', async () => {
    await start(begun);
    const leaving = new AbortController();
    const stream = await relayStream(engine, engineRequest({ stream: true }, leaving.signal));
    await stream.next();
    leaving.abort(left);
    await once(fake.server, 'response-closed');
    expect(fake.requests[0]?.isAborted).toBe(true);
    await expect(stream.next()).rejects.toBe(left);
  });

  test('while a reader waits for the next event', async () => {
    await start(begun);
    const leaving = new AbortController();
    const stream = await relayStream(engine, engineRequest({ stream: true }, leaving.signal));
    await stream.next();
    const next = stream.next();
    leaving.abort(left);
    await expect(next).rejects.toBe(left);
  });
});

test('leaving the loop over payloads breaks the upstream off', async () => {
  await start(begun);
  const stream = await relayStream(engine, engineRequest({ stream: true }));
  await stream.next();
  await stream.return?.();
  await once(fake.server, 'response-closed');
  expect(fake.requests[0]?.isAborted).toBe(true);
});

test('leaving the loop over events breaks the upstream off', async () => {
  await start(begun);
  const { request, context } = engineRequest();
  for await (const event of engine.generate(request, context)) {
    expect(event).toMatchObject([{ type: 'text', text: 'a' }]);
    break;
  }
  await once(fake.server, 'response-closed');
  expect(fake.requests[0]?.isAborted).toBe(true);
});

test('200 streams that are abandoned at once are 200 closed connections upstream', async () => {
  await start(begun);
  const leaving = new AbortController();
  const streams = await Promise.all(
    Array.from({ length: 200 }, () => relayStream(engine, engineRequest({ stream: true }, leaving.signal))),
  );
  await Promise.all(streams.map((stream) => stream.next()));
  let closed = 0;
  const all = new Promise<void>((resolve) => fake.server.on('response-closed', () => ++closed === 200 && resolve()));
  leaving.abort(left);
  await all;
  expect(fake.requests.filter(({ isAborted }) => isAborted)).toHaveLength(200);
});

test('a signal is left without listeners when the request is over, however it ended', async () => {
  await start((response, seen) => {
    if (seen.body['stream'] === true) startEventStream(response).end(frames(chunk({ content: 'a' }, 'stop'), '[DONE]'));
    else json(response, seen.body['bad'] === true ? 400 : 200, completion);
  });
  const { signal } = new AbortController();
  await relayWhole(engine, engineRequest({}, signal));
  await relayWhole(engine, engineRequest({ bad: true }, signal)).catch(() => undefined);
  await drain(await relayStream(engine, engineRequest({ stream: true }, signal)));
  await collectEvents(engine, engineRequest({}, signal));
  await (await relayStream(engine, engineRequest({ stream: true }, signal))).return?.();
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

describe('a finished stream', () => {
  test('leaves its connection to the next request, though the body ends a little later than [DONE]', async () => {
    await start(
      (response) => {
        startEventStream(response).write(frames(chunk({}, 'stop'), '[DONE]'));
        setTimeout(() => response.end(), 10);
      },
      { connections: 1 },
    );
    let connections = 0;
    fake.server.on('connection', () => connections++);
    for (let index = 0; index < 5; index++) await drain(await relayStream(engine, engineRequest({ stream: true })));
    expect(connections).toBe(1);
  });

  test('whose body never ends is broken off', async () => {
    await start((response) => startEventStream(response).write(frames(chunk({}, 'stop'), '[DONE]')));
    expect((await drain(await relayStream(engine, engineRequest({ stream: true })))).error).toBeUndefined();
    await once(fake.server, 'response-closed');
    expect(fake.requests[0]?.isAborted).toBe(true);
  });
});

test('a stream that nobody asked for is broken off', async () => {
  await start(begun);
  await expect(relayWhole(engine, engineRequest())).rejects.toMatchObject({ status: 502 });
  await once(fake.server, 'response-closed');
  expect(fake.requests[0]?.isAborted).toBe(true);
});

test('a reader that stops reading stops the upstream', async () => {
  const piece = frames(chunk({ content: 'x'.repeat(64 * 1024) }));
  let written = 0;
  await start(async (response) => {
    startEventStream(response);
    for (; written < 1024; written++) if (!response.write(piece)) await once(response, 'drain');
    response.end(frames('[DONE]'));
  });
  const stream = await relayStream(engine, engineRequest({ stream: true }));
  await stream.next();
  // Until the buffers in between are full.
  for (let before = -1; before !== written;) {
    before = written;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(written).toBeLessThan(512);
  const { payloads, error } = await drain(stream);
  expect(error).toBeUndefined();
  expect(payloads.length).toBeGreaterThan(1000);
});
