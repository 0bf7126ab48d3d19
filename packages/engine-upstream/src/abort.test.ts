import { getEventListeners, once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { ChatEngine } from '@modelwire/ports';
import { engineRequest, drain, collectEvents, relayStream, relayWhole } from '../test/engine-request.ts';
import { chunk, completion, startEventStream, frames, json } from '../test/fake-server.ts';
import type { RequestHandler, FakeServer } from '../test/fake-server.ts';
import { startUpstream } from '../test/start-upstream.ts';
import type { UpstreamServer } from './presets/options.ts';

let fake: FakeServer;
let engine: ChatEngine;

async function start(handler: RequestHandler, server: Partial<UpstreamServer> = {}): Promise<void> {
  ({ fake, engine } = await startUpstream(handler, server, { retries: 5 }));
}

const abortReason = new Error('the client disconnected');
const noReply: RequestHandler = () => undefined;
const partialStream: RequestHandler = (response) => startEventStream(response).write(frames(chunk({ content: 'a' })));

describe('an abort reaches the upstream', () => {
  test('before the request is sent, and no request arrives', async () => {
    await start(noReply);
    await expect(relayWhole(engine, engineRequest({}, AbortSignal.abort(abortReason)))).rejects.toBe(abortReason);
    expect(fake.requests).toEqual([]);
  });

  test('while the request is queued for a connection', async () => {
    let reply: () => void = () => undefined;
    await start(
      (response, _, count) => {
        reply = () => json(response, 200, completion);
        if (count > 1) reply();
      },
      { connections: 1 },
    );
    const first = relayWhole(engine, engineRequest());
    await once(fake.server, 'request-received');
    const controller = new AbortController();
    const second = relayWhole(engine, engineRequest({ which: 'second' }, controller.signal));
    const third = relayWhole(engine, engineRequest({ which: 'third' }));
    controller.abort(abortReason);
    await expect(second).rejects.toBe(abortReason);
    reply();
    await Promise.all([first, third]);
    expect(fake.requests.map(({ body }) => body['which'])).toEqual([undefined, 'third']);
  });

  test('while connecting', async () => {
    const silentServer = createServer().listen(0, '127.0.0.1');
    await once(silentServer, 'listening');
    const { port } = silentServer.address() as AddressInfo;
    // A TLS handshake without a response.
    await start(noReply, { baseURL: `https://127.0.0.1:${port}/v1` });
    const controller = new AbortController();
    const relayed = relayWhole(engine, engineRequest({}, controller.signal));
    const [socket] = (await once(silentServer, 'connection')) as [Socket];
    // A reset closes the connection, too.
    socket.resume().on('error', () => undefined);
    controller.abort(abortReason);
    await expect(relayed).rejects.toBe(abortReason);
    await once(socket, 'close');
    silentServer.close();
  });

  test('before a connection without TLS is established, and the next request succeeds', async () => {
    await start((response) => json(response, 200, completion));
    const controller = new AbortController();
    const relayed = relayWhole(engine, engineRequest({}, controller.signal));
    setImmediate(() => controller.abort(abortReason));
    await expect(relayed).rejects.toBe(abortReason);
    await expect(relayWhole(engine, engineRequest({}))).resolves.toBeDefined();
  });

  test('while waiting for the reply', async () => {
    await start(noReply);
    const controller = new AbortController();
    const relayed = relayWhole(engine, engineRequest({}, controller.signal));
    await once(fake.server, 'request-received');
    controller.abort(abortReason);
    await expect(relayed).rejects.toBe(abortReason);
    await once(fake.server, 'response-closed');
    expect(fake.requests[0]?.isAborted).toBe(true);
  });

  test('during a reply that is not streamed', async () => {
    await start((response) => response.writeHead(200, { 'content-length': 100 }).write('{"choices":'));
    const controller = new AbortController();
    const relayed = relayWhole(engine, engineRequest({}, controller.signal));
    await once(fake.server, 'request-received');
    setImmediate(() => controller.abort(abortReason));
    await expect(relayed).rejects.toBe(abortReason);
    await once(fake.server, 'response-closed');
    expect(fake.requests[0]?.isAborted).toBe(true);
  });

  test('during a stream, also without a pending read', async () => {
    await start(partialStream);
    const controller = new AbortController();
    const stream = await relayStream(engine, engineRequest({ stream: true }, controller.signal));
    await stream.next();
    controller.abort(abortReason);
    await once(fake.server, 'response-closed');
    expect(fake.requests[0]?.isAborted).toBe(true);
    await expect(stream.next()).rejects.toBe(abortReason);
  });

  test('while a read of the next event is pending', async () => {
    await start(partialStream);
    const controller = new AbortController();
    const stream = await relayStream(engine, engineRequest({ stream: true }, controller.signal));
    await stream.next();
    const next = stream.next();
    controller.abort(abortReason);
    await expect(next).rejects.toBe(abortReason);
  });
});

test('leaving the loop over payloads aborts the request to the upstream', async () => {
  await start(partialStream);
  const stream = await relayStream(engine, engineRequest({ stream: true }));
  await stream.next();
  await stream.return?.();
  await once(fake.server, 'response-closed');
  expect(fake.requests[0]?.isAborted).toBe(true);
});

test('leaving the loop over events aborts the request to the upstream', async () => {
  await start(partialStream);
  const { request, context } = engineRequest();
  for await (const event of engine.generate(request, context)) {
    expect(event).toMatchObject([{ type: 'text', text: 'a' }]);
    break;
  }
  await once(fake.server, 'response-closed');
  expect(fake.requests[0]?.isAborted).toBe(true);
});

test('aborting 200 concurrent streams closes 200 connections to the upstream', async () => {
  await start(partialStream);
  const controller = new AbortController();
  const streams = await Promise.all(
    Array.from({ length: 200 }, () => relayStream(engine, engineRequest({ stream: true }, controller.signal))),
  );
  await Promise.all(streams.map((stream) => stream.next()));
  let closed = 0;
  const all = new Promise<void>((resolve) => fake.server.on('response-closed', () => ++closed === 200 && resolve()));
  controller.abort(abortReason);
  await all;
  expect(fake.requests.filter(({ isAborted }) => isAborted)).toHaveLength(200);
});

test('removes all listeners from the signal when a request ends, regardless of the outcome', async () => {
  await start((response, received) => {
    if (received.body['stream'] === true)
      startEventStream(response).end(frames(chunk({ content: 'a' }, 'stop'), '[DONE]'));
    else json(response, received.body['bad'] === true ? 400 : 200, completion);
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
  test('leaves its connection to the next request if the body ends shortly after [DONE]', async () => {
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

  test('whose body does not end is aborted', async () => {
    await start((response) => startEventStream(response).write(frames(chunk({}, 'stop'), '[DONE]')));
    expect((await drain(await relayStream(engine, engineRequest({ stream: true })))).error).toBeUndefined();
    await once(fake.server, 'response-closed');
    expect(fake.requests[0]?.isAborted).toBe(true);
  });
});

test('aborts a streamed reply to a request that is not streamed', async () => {
  await start(partialStream);
  await expect(relayWhole(engine, engineRequest())).rejects.toMatchObject({ status: 502 });
  await once(fake.server, 'response-closed');
  expect(fake.requests[0]?.isAborted).toBe(true);
});

test('applies backpressure to the upstream when the reader pauses', async () => {
  const piece = frames(chunk({ content: 'x'.repeat(64 * 1024) }));
  let written = 0;
  await start(async (response) => {
    startEventStream(response);
    for (; written < 1024; written++) if (!response.write(piece)) await once(response, 'drain');
    response.end(frames(chunk({}, 'stop'), '[DONE]'));
  });
  const stream = await relayStream(engine, engineRequest({ stream: true }));
  await stream.next();
  // Until all buffers between the two are full.
  for (let before = -1; before !== written;) {
    before = written;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(written).toBeLessThan(512);
  const { payloads, error } = await drain(stream);
  expect(error).toBeUndefined();
  expect(payloads.length).toBeGreaterThan(1000);
});
