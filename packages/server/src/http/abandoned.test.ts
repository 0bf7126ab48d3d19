import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ChatEvent } from '@modelwire/ports';
import { adapters, key, listen } from '../testing/listen.ts';
import { scriptedEngine } from '../testing/scripted-engine.ts';

const ask = { model: 'scripted', messages: [{ role: 'user', content: 'Hello' }], stream: true };

/** Says something now and then, for ever; counts how often it was told to stop. */
function endless() {
  const aborts = { count: 0 };
  const engine = scriptedEngine(async function* (_, { signal }) {
    signal.addEventListener('abort', () => aborts.count++);
    for (;;) {
      yield { type: 'text', choice: 0, text: 'again ' } satisfies ChatEvent;
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(resolve, 20);
        signal.addEventListener('abort', () => {
          clearTimeout(timer);
          reject(signal.reason as Error);
        });
      });
    }
  });
  return { engine, aborts };
}

describe.each(adapters)('by way of %s', (adapter) => {
  test('50 clients that disconnect from their streams abort 50 generations', async () => {
    const { engine, aborts } = endless();
    const { post, server } = await listen({ engines: [engine] }, adapter);
    const streams = await Promise.all(Array.from({ length: 50 }, () => post(ask)));
    expect(server.stats().requestsInFlight).toBe(50);
    await Promise.all(streams.map(async (stream) => stream.body?.cancel()));
    await expect.poll(() => aborts.count).toBe(50);
    await expect.poll(() => server.stats().requestsInFlight).toBe(0);
  });

  test('a client that disconnects before a complete reply aborts the generation', async () => {
    const { engine, aborts } = endless();
    const { url, server } = await listen({ engines: [engine] }, adapter);
    const gone = new AbortController();
    const reply = fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...ask, stream: false }),
      signal: gone.signal,
    });
    await expect.poll(() => engine.asked.length).toBe(1);
    gone.abort();
    await expect(reply).rejects.toThrow();
    await expect.poll(() => aborts.count).toBe(1);
    await expect.poll(() => server.stats().requestsInFlight).toBe(0);
  });

  test('a client that disconnects in the queue never reaches the engine', async () => {
    const { engine } = endless();
    const { post, server } = await listen({ engines: [engine], engineConcurrency: 1 }, adapter);
    const first = await post(ask);
    const waiting = new AbortController();
    const second = fetch(first.url, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(ask),
      signal: waiting.signal,
    });
    await expect.poll(() => server.stats().requestsInFlight).toBe(2);
    waiting.abort();
    await expect(second).rejects.toThrow();
    await expect.poll(() => server.stats().requestsInFlight).toBe(1);
    await first.body?.cancel();
    expect(engine.asked.length).toBe(1);
  });

  test('a client that stops reading slows the engine down, and buffered bytes stay bounded', async () => {
    let said = 0;
    const engine = scriptedEngine(async function* () {
      for (;;) {
        said++;
        yield { type: 'text', choice: 0, text: 'x'.repeat(1000) } satisfies ChatEvent;
        if (said % 100 === 0) await new Promise(setImmediate);
      }
    });
    const { url, server } = await listen({ engines: [engine] }, adapter);
    const { hostname, port } = new URL(url);
    const body = JSON.stringify(ask);
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST /v1/chat/completions HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${key}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    await new Promise((resolve) => socket.once('readable', resolve));
    let before = -1;
    let still = 0;
    // Until the kernel's buffers are full and nothing moves any more, which one look does not tell where the machine is busy.
    await expect
      .poll(
        () => {
          still = said === before ? still + 1 : 0;
          before = said;
          return still;
        },
        { interval: 100 },
      )
      .toBeGreaterThan(6);
    const held = said;
    // The kernel took some megabytes; the server holds no more than its high water.
    expect(held * 1000).toBeLessThan(32 * 1024 * 1024);
    socket.destroy();
    await expect.poll(() => server.stats().requestsInFlight).toBe(0);
  });

  test('an unread stream releases its slot at the engine when other requests wait', async () => {
    let isFirst = true;
    const engine = scriptedEngine(
      async function* () {
        const endless = isFirst;
        isFirst = false;
        do {
          yield { type: 'text', choice: 0, text: 'x'.repeat(10_000) } satisfies ChatEvent;
          await new Promise(setImmediate);
        } while (endless);
        yield { type: 'finish', choice: 0, reason: 'stop' } satisfies ChatEvent;
      },
      { concurrency: 1 },
    );
    const { url, post, server } = await listen({ engines: [engine], contendedWriteTimeoutMs: 200 }, adapter);
    const { hostname, port } = new URL(url);
    const body = JSON.stringify(ask);
    const socket = connect(Number(port), hostname);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined);
    socket.write(
      `POST /v1/chat/completions HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${key}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    await new Promise((resolve) => socket.once('readable', resolve));
    const second = await post({ ...ask, stream: false });
    expect(second.status).toBe(200);
    // The connection is reset, so that the truncated response does not look complete.
    socket.resume();
    await closed;
    await expect.poll(() => server.stats().requestsInFlight).toBe(0);
  });

  test('unread streams that are opened one after the other release their slots, so that the next one gets its headers', async () => {
    const places = 2;
    const engine = scriptedEngine(
      async function* () {
        // Unread streams do not end.
        const isEndless = engine.asked.length <= places;
        do {
          yield { type: 'text', choice: 0, text: 'x'.repeat(10_000) } satisfies ChatEvent;
          await new Promise(setImmediate);
        } while (isEndless);
        yield { type: 'finish', choice: 0, reason: 'stop' } satisfies ChatEvent;
      },
      { concurrency: places },
    );
    const { url, post, server } = await listen({ engines: [engine], contendedWriteTimeoutMs: 200 }, adapter);
    for (let opened = 1; opened <= places; opened++) {
      openUnread(url);
      await expect.poll(() => engine.asked.length).toBe(opened);
    }
    const third = await post(ask);
    expect(third.status).toBe(200);
    expect((await third.text()).endsWith('data: [DONE]\n\n')).toBe(true);
    await expect.poll(() => server.stats().requestsInFlight).toBeLessThan(places);
  });

  test('a stream that waits too long for a slot returns 503, since headers are not sent before the first token', async () => {
    const { engine } = endless();
    const { post } = await listen({ engines: [engine], engineConcurrency: 1, queueTimeoutMs: 100 }, adapter);
    const first = await post(ask);
    const second = await post(ask);
    expect([second.status, second.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await second.json()).toMatchObject({ error: { code: 'overloaded' } });
    await first.body?.cancel();
  });
});

/** Asks for a stream on a connection that is never read. */
function openUnread(url: string): void {
  const { hostname, port } = new URL(url);
  const body = JSON.stringify(ask);
  const socket = connect(Number(port), hostname).pause();
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${key}\r\n` +
      `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
}
