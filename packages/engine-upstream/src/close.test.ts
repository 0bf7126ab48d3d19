import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import type { ChatEngine } from '@modelwire/ports';
import { engineRequest, drain, collectEvents, rejection, relayStream, relayWhole } from '../test/engine-request.ts';
import { chunk, completion, startEventStream, frames, json } from '../test/fake-server.ts';
import type { RequestHandler, FakeServer } from '../test/fake-server.ts';
import { startUpstream } from '../test/start-upstream.ts';

let fake: FakeServer;
let engine: ChatEngine;

async function start(handler: RequestHandler): Promise<void> {
  ({ fake, engine } = await startUpstream(handler));
}

/** Calls `close`, and tracks whether it has resolved. */
function closing(): { readonly closed: Promise<void>; readonly isClosed: () => boolean } {
  let hasResolved = false;
  const closed = Promise.resolve(engine.close?.()).then(() => {
    hasResolved = true;
  });
  return { closed, isClosed: () => hasResolved };
}

describe('close', () => {
  test('waits for a reply that is not streamed', async () => {
    let reply: () => void = () => undefined;
    await start((response) => (reply = () => json(response, 200, completion)));
    const relayed = relayWhole(engine, engineRequest());
    await once(fake.server, 'request-received');
    const { closed, isClosed } = closing();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(isClosed()).toBe(false);
    reply();
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

  test('does not prevent retries of a running request', async () => {
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

  test('rejects new requests, and can be called again', async () => {
    await start((response) => json(response, 200, completion));
    await relayWhole(engine, engineRequest());
    await Promise.all([engine.close?.(), engine.close?.()]);
    await engine.close?.();
    const refused = { status: 503, code: 'shutting_down', headers: { 'retry-after': '1' } };
    expect(await rejection(relayWhole(engine, engineRequest()))).toMatchObject(refused);
    expect(await rejection(collectEvents(engine, engineRequest()))).toMatchObject(refused);
    expect(fake.requests).toHaveLength(1);
  });

  test('resolves immediately when the signals of running requests abort', async () => {
    await start((response) => startEventStream(response).write(frames(chunk({ content: 'a' }))));
    const controller = new AbortController();
    const stream = await relayStream(engine, engineRequest({ stream: true }, controller.signal));
    await stream.next();
    const { closed } = closing();
    controller.abort(new Error('left'));
    await closed;
    expect((await drain(stream)).error).toBe(controller.signal.reason);
  });
});
