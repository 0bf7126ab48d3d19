import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import type { ChatEngine } from '@modelwire/ports';
import { engineRequest, drain, collectEvents, rejection, relayStream, relayWhole } from '../test/engine-request.ts';
import { chunk, completion, startEventStream, fakeServer, frames, json } from '../test/fake-server.ts';
import type { RequestHandler, FakeServer } from '../test/fake-server.ts';
import { createUpstream } from './upstream.ts';

let fake: FakeServer;
let engine: ChatEngine;

async function start(answering: RequestHandler): Promise<void> {
  fake = await fakeServer(answering);
  engine = createUpstream({ upstreams: [{ baseURL: fake.baseURL }], models: { m: {} } });
}

afterEach(async () => {
  await fake.close();
});

/** Resolves with what `close` did by then. */
function closing(): { readonly closed: Promise<void>; readonly isClosed: () => boolean } {
  let over = false;
  const closed = Promise.resolve(engine.close?.()).then(() => {
    over = true;
  });
  return { closed, isClosed: () => over };
}

describe('close', () => {
  test('waits for a whole reply', async () => {
    let answer: () => void = () => undefined;
    await start((response) => (answer = () => json(response, 200, completion)));
    const relayed = relayWhole(engine, engineRequest());
    await once(fake.server, 'request-received');
    const { closed, isClosed } = closing();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(isClosed()).toBe(false);
    answer();
    expect(await relayed).toEqual(completion);
    await closed;
  });

  test('waits for a stream', async () => {
    let end: () => void = () => undefined;
    await start((response) => {
      startEventStream(response).write(frames(chunk({ content: 'a' })));
      end = () => response.end(frames(chunk({}, 'stop'), '[DONE]'));
    });
    const stream = await relayStream(engine, engineRequest({ stream: true }));
    await stream.next();
    const { closed, isClosed } = closing();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(isClosed()).toBe(false);
    end();
    expect(await drain(stream)).toEqual({ payloads: [chunk({}, 'stop')] });
    await closed;
  });

  test('lets a running request try again', async () => {
    let fail: () => void = () => undefined;
    await start((response, _, count) => {
      if (count > 1) json(response, 200, completion);
      else fail = () => json(response, 503, {});
    });
    const relayed = relayWhole(engine, engineRequest());
    await once(fake.server, 'request-received');
    const { closed } = closing();
    fail();
    expect(await relayed).toEqual(completion);
    await closed;
  });

  test('takes no new requests, and may come twice', async () => {
    await start((response) => json(response, 200, completion));
    await relayWhole(engine, engineRequest());
    await Promise.all([engine.close?.(), engine.close?.()]);
    await engine.close?.();
    const refused = { status: 503, code: 'shutting_down', headers: { 'retry-after': '1' } };
    expect(await rejection(relayWhole(engine, engineRequest()))).toMatchObject(refused);
    expect(await rejection(collectEvents(engine, engineRequest()))).toMatchObject(refused);
    expect(fake.requests).toHaveLength(1);
  });

  test('ends at once when the signals of what runs abort', async () => {
    await start((response) => startEventStream(response).write(frames(chunk({ content: 'a' }))));
    const leaving = new AbortController();
    const stream = await relayStream(engine, engineRequest({ stream: true }, leaving.signal));
    await stream.next();
    const { closed } = closing();
    leaving.abort(new Error('left'));
    await closed;
    expect((await drain(stream)).error).toBe(leaving.signal.reason);
  });
});
