import type { ChatEvent } from '@modelwire/ports';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createServer } from '../server.ts';
import { says, scriptedEngine } from '../testing/scripted-engine.ts';
import { pipeOptions } from '../testing/event-pipe.ts';
import { openEventPipe } from './event-pipe.ts';
import type { EventPipe, EventSink } from './event-pipe.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const comment = ': keep-alive\n\n';
const keepAliveMs = 15_000;

/** Resolves after the events of this turn of the event loop were sent. */
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Advances the clock, and lets what was due then be sent. */
async function advance(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  await nextTurn();
}

describe('a stream', () => {
  /** A stream whose events and end the test decides. */
  function openStream(ms = keepAliveMs) {
    const { promise: ended, resolve: end, reject: fail } = Promise.withResolvers<undefined>();
    let sink: EventSink | undefined;
    const opened = openEventPipe({ ...pipeOptions, produce: (given) => ((sink = given), ended), keepAliveMs: ms });
    let pipe: EventPipe | string | undefined;
    opened.then(
      (result) => (pipe = result),
      () => undefined,
    );
    let pendingRead: Promise<string | undefined> | undefined;
    const read = async (): Promise<string | undefined> => {
      if (pipe === undefined || typeof pipe === 'string') throw new Error('the stream has not started');
      const reading = (pendingRead ??= pipe.next());
      const text = await Promise.race([reading, nextTurn().then(() => 'nothing')]);
      if (text !== 'nothing') pendingRead = undefined;
      return text;
    };
    return {
      opened,
      end,
      fail,
      read,
      write: (text: string) => sink?.write(text),
      hasStarted: () => pipe !== undefined,
    };
  }

  test('starts with a comment after 15 s without events, and not before', async () => {
    const stream = openStream();
    await advance(keepAliveMs - 1);
    expect(stream.hasStarted()).toBe(false);
    await advance(1);
    expect(stream.hasStarted()).toBe(true);
    expect(await stream.read()).toBe(comment);
  });

  test('that fails before 15 s have passed has not started', async () => {
    const stream = openStream();
    await advance(keepAliveMs - 1);
    stream.fail(new Error('no capacity'));
    await expect(stream.opened).rejects.toThrow('no capacity');
  });

  test('gets a comment 15 s after its last event, and again after 15 s', async () => {
    const stream = openStream();
    stream.write('data: 1\n\n');
    await advance(10_000);
    expect(await stream.read()).toBe('data: 1\n\n');
    stream.write('data: 2\n\n');
    await advance(keepAliveMs - 1);
    expect(await stream.read()).toBe('data: 2\n\n');
    expect(await stream.read()).toBe('nothing');
    await advance(1);
    expect(await stream.read()).toBe(comment);
    await advance(keepAliveMs - 1);
    expect(await stream.read()).toBe('nothing');
    await advance(1);
    expect(await stream.read()).toBe(comment);
  });

  test('gets no comment while its reader has not read the last events', async () => {
    const stream = openStream();
    stream.write('data: 1\n\n');
    await advance(10 * keepAliveMs);
    expect(await stream.read()).toBe('data: 1\n\n');
  });

  test('gets no comment if keep-alive is turned off', async () => {
    const stream = openStream(0);
    await advance(10 * keepAliveMs);
    expect(stream.hasStarted()).toBe(false);
  });

  test('leaves no timer behind when it ends', async () => {
    const stream = openStream();
    expect(vi.getTimerCount()).toBe(1);
    stream.write('data: 1\n\n');
    stream.end(undefined);
    await stream.opened;
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('an endpoint', () => {
  const requests = [
    ['/v1/chat/completions', { messages: [{ role: 'user', content: 'Hi' }] }],
    ['/v1/responses', { input: 'Hi', store: false }],
    ['/v1/completions', { prompt: 'Hi' }],
  ] as const;

  /** A server with one place at its engine, which replies when the test says so. */
  function serve() {
    const gates: (() => void)[] = [];
    async function* reply(events: () => Iterable<ChatEvent>): AsyncGenerator<ChatEvent> {
      await new Promise<void>((resolve) => gates.push(resolve));
      yield* events();
    }
    let events: () => Iterable<ChatEvent> = () => says('Hello');
    const scripted = scriptedEngine(() => reply(() => events()), { concurrency: 1 });
    const engine = {
      ...scripted,
      textCompletions: { tokens: false, suffix: false },
      complete: () => reply(() => events()),
    };
    const server = createServer({ engines: [engine], keys: 'open', maxQueuedRequests: 8, queueTimeoutMs: 20_000 });
    const post = async (path: string, body: object) =>
      server.fetch(
        new Request(`http://localhost${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ model: 'scripted', stream: true, ...body }),
        }),
      );
    return {
      post,
      release: () => gates.shift()?.(),
      failWith: (error: Error) =>
        (events = () => {
          throw error;
        }),
    };
  }

  test.each(requests)('%s sends comments while the engine is silent, then the reply', async (path, body) => {
    const { post, release } = serve();
    const posted = post(path, body);
    await advance(1);
    await advance(2 * keepAliveMs);
    release();
    const response = await posted;
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(text.startsWith(comment)).toBe(true);
    expect(text).toContain('Hello');
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  test.each(requests)('%s sends a comment while the request is queued', async (path, body) => {
    const { post, release } = serve();
    const first = post(path, body);
    await advance(1);
    const second = post(path, body);
    await advance(keepAliveMs);
    const response = await second;
    expect(response.status).toBe(200);
    release();
    await (await first).text();
    await nextTurn();
    release();
    const text = await response.text();
    expect(text.startsWith(comment)).toBe(true);
    expect(text).toContain('Hello');
  });

  test.each(requests)('%s fails with an HTTP status until the first comment', async (path, body) => {
    const { post, release, failWith } = serve();
    failWith(new Error('broken'));
    const posted = post(path, body);
    await advance(keepAliveMs - 1);
    release();
    expect((await posted).status).toBe(500);
  });

  test.each(requests)('%s fails with an event after the first comment, also in the queue', async (path, body) => {
    const { post } = serve();
    void post(path, body);
    await advance(1);
    const queued = post(path, body);
    await advance(20_000);
    const response = await queued;
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text.startsWith(comment)).toBe(true);
    expect(text).toMatch(/overloaded/);
  });
});
