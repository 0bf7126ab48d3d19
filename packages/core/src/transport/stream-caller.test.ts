import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { json, serve, startEvents } from '../../test/server.ts';
import type { Handler } from '../../test/server.ts';
import { create, DONE, drain, event, openStream, openBody } from '../../test/streams.ts';
import type { Chunk } from '../../test/streams.ts';
import { asStream } from '../streams/stream.ts';
import { createTransport } from './transport.ts';

describe('a call for a stream', () => {
  test('does not count time without a pending read as idle, and heartbeats reset the idle timeout', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const write = (text: string) => void writer.write(new TextEncoder().encode(text));
    const headers = { 'content-type': 'text/event-stream' };
    const transport = createTransport({
      fetch: async () => new Response(readable, { headers }),
      timeouts: { idle: 1000 },
    });
    write(event(1));
    const iterator = (await transport.request(create, {}, asStream<Chunk>()))[Symbol.asyncIterator]();
    expect(await iterator.next()).toEqual({ done: false, value: { n: 1 } });
    await vi.advanceTimersByTimeAsync(1500);
    const second = iterator.next();
    for (let heartbeat = 0; heartbeat < 3; heartbeat++) {
      await vi.advanceTimersByTimeAsync(900);
      write(':\n\n');
    }
    write(event(2));
    expect(await second).toEqual({ done: false, value: { n: 2 } });
    const third = expect(iterator.next()).rejects.toMatchObject({ name: 'TimeoutError', phase: 'idle' });
    await vi.advanceTimersByTimeAsync(1000);
    await third;
  });

  test.each([
    ['JSON', { object: 'chat.completion' }, undefined],
    ['an error as JSON', { error: { message: 'No streams here.' } }, 'No streams here.'],
  ])('with the response %s is an error that has its message', async (_, body, message) => {
    const stream = openStream((response) => json(response, body));
    await expect(stream).rejects.toMatchObject({
      name: 'StreamError',
      reason: 'unexpected_content_type',
      message: expect.stringContaining(message ?? 'application/json') as string,
      body,
      requestId: 'req_1',
      attempts: { length: 1 },
    });
  });

  test('with an HTML response is an error with an excerpt of it', async () => {
    const page = `<html>${'x'.repeat(100_000)}`;
    const stream = openStream((response) => {
      response.setHeader('content-type', 'text/html');
      response.end(page);
    });
    await expect(stream).rejects.toMatchObject({ reason: 'unexpected_content_type', body: page.slice(0, 2000) });
  });

  test('is retried before the first byte, and never after it', async () => {
    const server = await serve((response, _, count) => {
      startEvents(response);
      if (count > 1) response.write(event(count));
      setTimeout(() => response.destroy(), 10);
    });
    const transport = createTransport({ baseURL: server.baseURL, backoff: () => 0 });
    const stream = await transport.request(create, {}, asStream<Chunk>());
    expect(await drain(stream)).toMatchObject({
      received: [2],
      error: { name: 'ConnectionError', attempts: { length: 2 } },
    });
    expect(server.received).toHaveLength(2);
  });
});

describe('the caller', () => {
  test('cancels the body by leaving the loop', async () => {
    let cancelled = false;
    const stream = await openBody([event(1) + event(2), event(3)], { cancel: () => void (cancelled = true) });
    for await (const { n } of stream) {
      expect(n).toBe(1);
      break;
    }
    expect(cancelled).toBe(true);
    expect(stream.state).toBe('aborted');
    const other = await openBody([event(1), event(2)]);
    for await (const batch of other.batches()) {
      expect(batch).toHaveLength(1);
      break;
    }
    expect(other.state).toBe('aborted');
  });

  test('gets an AbortError immediately after abort(), and no payload', async () => {
    const controller = new AbortController();
    const hang: Handler = (response) => {
      startEvents(response);
      response.write(event(1) + event(2));
    };
    for (const [stream, abort] of [
      [await openStream(hang, {}, { signal: controller.signal }), () => controller.abort()],
      await openStream(hang).then((other) => [other, () => other.abort()] as const),
    ] as const) {
      const iterator = stream[Symbol.asyncIterator]();
      expect(await iterator.next()).toMatchObject({ value: { n: 1 } });
      abort();
      await expect(iterator.next()).rejects.toMatchObject({ name: 'AbortError', requestId: 'req_1' });
      expect(stream.state).toBe('aborted');
    }
  });

  test('gets an AbortError when it aborts during a pending read', async () => {
    const stream = await openStream((response) => {
      startEvents(response);
      response.write(event(1));
    });
    const iterator = stream[Symbol.asyncIterator]();
    expect(await iterator.next()).toMatchObject({ value: { n: 1 } });
    const waiting = iterator.next();
    stream.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('changes nothing by aborting a finished stream', async () => {
    const stream = await openBody([event(1), DONE]);
    await drain(stream);
    stream.abort();
    expect(stream.state).toBe('finished');
  });

  test('can iterate only once', async () => {
    const stream = await openBody([event(1), DONE]);
    await drain(stream);
    expect(() => stream[Symbol.asyncIterator]()).toThrow('A stream can be iterated once.');
    expect(() => stream.batches()).toThrow('A stream can be iterated once.');
  });

  test('gets the results of concurrent next() calls in order', async () => {
    const stream = await openBody([event(1) + event(2), event(3), DONE]);
    const iterator = stream[Symbol.asyncIterator]();
    const results = await Promise.all(Array.from({ length: 5 }, () => iterator.next()));
    expect(results.map(({ value }) => value?.n)).toEqual([1, 2, 3, undefined, undefined]);
  });

  test('has nothing read ahead', async () => {
    let pulls = 0;
    const stream = await openBody([], {
      pull(controller) {
        pulls++;
        controller.enqueue(new TextEncoder().encode(event(pulls) + event(pulls)));
      },
    });
    const iterator = stream[Symbol.asyncIterator]();
    for (let n = 0; n < 4; n++) await iterator.next();
    expect(pulls).toBe(2);
    await iterator.return?.();
  });
});
