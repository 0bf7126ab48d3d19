import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { json, serve, sleep, startEvents } from '../test/server.ts';
import type { Handler } from '../test/server.ts';
import type { RequestOptions, TransportOptions } from './options.ts';
import { asStream } from './stream.ts';
import type { EventStream } from './stream.ts';
import { createTransport } from './transport.ts';

interface Chunk {
  readonly n: number;
}

const create = { method: 'POST', path: '/things' } as const;
const DONE = 'data: [DONE]\n\n';
const event = (n: number): string => `data: {"n":${n}}\n\n`;

async function open(
  handler: Handler,
  options: TransportOptions = {},
  call: RequestOptions = {},
): Promise<EventStream<Chunk>> {
  const { baseURL } = await serve(handler);
  return createTransport({ baseURL, apiKey: 'sk-secret', backoff: () => 0, ...options }).request(
    create,
    call,
    asStream<Chunk>(),
  );
}

/** A stream over a body in memory, a chunk for each read. */
function openBody(
  chunks: (string | Uint8Array)[],
  source: UnderlyingDefaultSource<Uint8Array> = {},
): Promise<EventStream<Chunk>> {
  const encoder = new TextEncoder();
  const left = chunks.map((chunk) => (typeof chunk === 'string' ? encoder.encode(chunk) : chunk));
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = left.shift();
        if (chunk === undefined) controller.close();
        else controller.enqueue(chunk);
      },
      ...source,
    },
    { highWaterMark: 0 },
  );
  const headers = { 'content-type': 'text/event-stream', 'x-request-id': 'req_m' };
  const transport = createTransport({ fetch: async () => new Response(body, { headers }), maxRetries: 0 });
  return transport.request(create, {}, asStream<Chunk>());
}

/** What the loop gave, and what it threw. */
async function drain(stream: AsyncIterable<Chunk>): Promise<{ seen: number[]; error: unknown }> {
  const seen: number[] = [];
  try {
    for await (const { n } of stream) seen.push(n);
    return { seen, error: undefined };
  } catch (error) {
    return { seen, error };
  }
}

describe('a stream that ends well', () => {
  test('gives its payloads, is finished after [DONE], and ignores comments, pings and what comes after', async () => {
    const stream = await open((response) => {
      startEvents(response);
      response.write(`: hello\n\n${event(1)}event: ping\n\nevent: ping\ndata: {}\n\n`);
      setTimeout(() => response.end(`${event(2)}${DONE}${event(3)}`), 5);
    });
    expect(stream).toMatchObject({ state: 'open', requestId: 'req_1', response: { status: 200 } });
    expect(await drain(stream)).toEqual({ seen: [1, 2], error: undefined });
    expect(stream.state).toBe('finished');
  });

  test('asks for an event stream', async () => {
    let accept: string | undefined;
    await open((response, { headers }) => {
      accept = headers.accept;
      startEvents(response);
      response.end(DONE);
    });
    expect(accept).toBe('text/event-stream');
  });

  test('leaves its connection to the next call', async () => {
    const server = await serve((response) => {
      startEvents(response);
      response.write(event(1) + DONE);
      setTimeout(() => response.end(), 2);
    });
    const transport = createTransport({ baseURL: server.baseURL });
    for (let n = 0; n < 10; n++) {
      await drain(await transport.request(create, {}, asStream<Chunk>()));
      await sleep(10);
    }
    expect(server.connections()).toBeLessThanOrEqual(2);
  });

  test('does not wait for a server that keeps the connection open after [DONE]', async () => {
    let left = false;
    const stream = await open((response) => {
      response.on('close', () => (left = true));
      startEvents(response);
      response.write(event(1) + DONE);
    });
    expect(await drain(stream)).toEqual({ seen: [1], error: undefined });
    await expect.poll(() => left, { timeout: 5000 }).toBe(true);
  });

  test('gives the same payloads in batches, one for each read', async () => {
    const stream = await openBody([event(1) + event(2), ': x\n\n', event(3), DONE]);
    const batches: number[][] = [];
    for await (const batch of stream.batches()) batches.push(batch.map(({ n }) => n));
    expect(batches).toEqual([[1, 2], [3]]);
    expect(stream.state).toBe('finished');
  });

  test('gives the same payloads for any split', async () => {
    const text = new TextEncoder().encode(
      `\uFEFF: é\r\n${event(1)}${event(2).replaceAll('\n', '\r\n')}${event(3)}${DONE}`,
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(9)), async (sizes) => {
        let at = 0;
        const chunks = [...sizes.map((size) => text.slice(at, (at += size))), text.slice(at)];
        expect(await drain(await openBody(chunks))).toEqual({ seen: [1, 2, 3], error: undefined });
      }),
    );
  });
});

describe('a stream that ends otherwise throws, after what came before,', () => {
  test('truncated, when it ends before [DONE]', async () => {
    for (const tail of ['', 'data: {"n":2}\n', 'data: [DONE]']) {
      const stream = await openBody([event(1), tail]);
      const { seen, error } = await drain(stream);
      expect(seen).toEqual([1]);
      expect(error).toMatchObject({
        name: 'StreamError',
        reason: 'truncated',
        requestId: 'req_m',
        attempts: { length: 1 },
      });
      expect(stream.state).toBe('failed');
    }
  });

  test('truncated, when nothing came at all', async () => {
    expect(await drain(await openBody([]))).toMatchObject({ seen: [], error: { reason: 'truncated' } });
  });

  test('a ConnectionError, when the connection breaks', async () => {
    const stream = await open((response) => {
      startEvents(response);
      response.write(event(1));
      setTimeout(() => response.destroy(), 10);
    });
    const { seen, error } = await drain(stream);
    expect(seen).toEqual([1]);
    expect(error).toMatchObject({ name: 'ConnectionError', requestId: 'req_1', status: 200 });
    expect(stream.state).toBe('failed');
  });

  test('error_frame, with the fields of the error and never the key', async () => {
    const error = { message: 'Overloaded, sk-secret.', type: 'server_error', code: 'overloaded', param: null };
    for (const frame of [
      `data: ${JSON.stringify({ error })}\n\n`,
      `event: error\ndata: ${JSON.stringify(error)}\n\n`,
    ]) {
      const stream = await open((response) => {
        startEvents(response);
        response.end(event(1) + frame + event(2) + DONE);
      });
      const outcome = await drain(stream);
      expect(outcome.seen).toEqual([1]);
      expect(outcome.error).toMatchObject({
        name: 'StreamError',
        reason: 'error_frame',
        message: 'Overloaded, [key].',
        type: 'server_error',
        code: 'overloaded',
        requestId: 'req_1',
      });
      expect(JSON.stringify(outcome.error)).not.toContain('sk-secret');
      expect(stream.state).toBe('failed');
    }
  });

  test('malformed, when an event is not JSON', async () => {
    const outcome = await drain(await openBody([event(1) + 'data: {"n":\n\n' + event(2) + DONE]));
    expect(outcome).toMatchObject({
      seen: [1],
      error: { name: 'StreamError', reason: 'malformed', body: '{"n":', requestId: 'req_m' },
    });
  });

  test('too_large, when an event passes the limit', async () => {
    const stream = await open(
      (response) => {
        startEvents(response);
        response.write(event(1));
        response.write(`data: "${'x'.repeat(5000)}`);
      },
      { maxEventBytes: 1000 },
    );
    expect(await drain(stream)).toMatchObject({ seen: [1], error: { reason: 'too_large', requestId: 'req_1' } });
  });

  test('a TimeoutError, when it stalls', async () => {
    const stream = await open(
      (response) => {
        startEvents(response);
        response.write(event(1));
      },
      { timeouts: { idle: 40 } },
    );
    const { seen, error } = await drain(stream);
    expect(seen).toEqual([1]);
    expect(error).toMatchObject({ name: 'TimeoutError', phase: 'idle', requestId: 'req_1' });
    expect(stream.state).toBe('failed');
  });

  test('a TimeoutError, when the whole call takes too long', async () => {
    const stream = await open(
      (response) => {
        startEvents(response);
        const timer = setInterval(() => response.write(': beat\n\n'), 10);
        response.on('close', () => clearInterval(timer));
      },
      {},
      { timeouts: { total: 60, idle: 1000 } },
    );
    expect(await drain(stream)).toMatchObject({ seen: [], error: { name: 'TimeoutError', phase: 'total' } });
    expect(stream.state).toBe('failed');
  });

  test('and throws the same again, when it is asked again', async () => {
    const stream = await openBody([event(1)]);
    const iterator = stream[Symbol.asyncIterator]();
    await iterator.next();
    for (let n = 0; n < 2; n++) await expect(iterator.next()).rejects.toMatchObject({ reason: 'truncated' });
  });
});

describe('a call for a stream', () => {
  test('does not count the time in which nobody reads as idle, and counts heartbeats as life', async () => {
    const stream = await open(
      (response) => {
        startEvents(response);
        response.write(event(1));
        const timer = setInterval(() => response.write(':\n\n'), 20);
        setTimeout(() => {
          clearInterval(timer);
          response.end(event(2) + DONE);
        }, 200);
      },
      { timeouts: { idle: 80 } },
    );
    const iterator = stream[Symbol.asyncIterator]();
    expect(await iterator.next()).toEqual({ done: false, value: { n: 1 } });
    await sleep(100);
    expect(await iterator.next()).toEqual({ done: false, value: { n: 2 } });
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });

  test.each([
    ['JSON', { object: 'chat.completion' }, undefined],
    ['an error as JSON', { error: { message: 'No streams here.' } }, 'No streams here.'],
  ])('answered with %s is an error that holds it', async (_, body, message) => {
    const stream = open((response) => json(response, body));
    await expect(stream).rejects.toMatchObject({
      name: 'StreamError',
      reason: 'unexpected_content_type',
      message: expect.stringContaining(message ?? 'application/json') as string,
      body,
      requestId: 'req_1',
      attempts: { length: 1 },
    });
  });

  test('answered with HTML is an error that holds its start', async () => {
    const page = `<html>${'x'.repeat(100_000)}`;
    const stream = open((response) => {
      response.setHeader('content-type', 'text/html');
      response.end(page);
    });
    await expect(stream).rejects.toMatchObject({ reason: 'unexpected_content_type', body: page.slice(0, 2000) });
  });

  test('is retried until its first byte came, and never after', async () => {
    const server = await serve((response, _, count) => {
      startEvents(response);
      if (count > 1) response.write(event(count));
      setTimeout(() => response.destroy(), 10);
    });
    const transport = createTransport({ baseURL: server.baseURL, backoff: () => 0 });
    const stream = await transport.request(create, {}, asStream<Chunk>());
    expect(await drain(stream)).toMatchObject({
      seen: [2],
      error: { name: 'ConnectionError', attempts: { length: 2 } },
    });
    expect(server.received).toHaveLength(2);
  });
});

describe('the caller', () => {
  test('that leaves the loop cancels the body', async () => {
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

  test('that aborts gets an AbortError at once, and nothing more', async () => {
    const controller = new AbortController();
    const hang: Handler = (response) => {
      startEvents(response);
      response.write(event(1) + event(2));
    };
    for (const [stream, abort] of [
      [await open(hang, {}, { signal: controller.signal }), () => controller.abort()],
      await open(hang).then((other) => [other, () => other.abort()] as const),
    ] as const) {
      const iterator = stream[Symbol.asyncIterator]();
      expect(await iterator.next()).toMatchObject({ value: { n: 1 } });
      abort();
      await expect(iterator.next()).rejects.toMatchObject({ name: 'AbortError', requestId: 'req_1' });
      expect(stream.state).toBe('aborted');
    }
  });

  test('that aborts while it waits gets an AbortError', async () => {
    const stream = await open((response) => {
      startEvents(response);
      response.write(event(1));
      setTimeout(() => stream.abort(), 20);
    });
    expect(await drain(stream)).toMatchObject({ seen: [1], error: { name: 'AbortError' } });
  });

  test('that aborts a finished stream changes nothing', async () => {
    const stream = await openBody([event(1), DONE]);
    await drain(stream);
    stream.abort();
    expect(stream.state).toBe('finished');
  });

  test('may iterate once', async () => {
    const stream = await openBody([event(1), DONE]);
    await drain(stream);
    expect(() => stream[Symbol.asyncIterator]()).toThrow('A stream can be iterated once.');
    expect(() => stream.batches()).toThrow('A stream can be iterated once.');
  });

  test('that calls next without waiting is answered in order', async () => {
    const stream = await openBody([event(1) + event(2), event(3), DONE]);
    const iterator = stream[Symbol.asyncIterator]();
    const results = await Promise.all(Array.from({ length: 5 }, () => iterator.next()));
    expect(results.map(({ value }) => value?.n)).toEqual([1, 2, 3, undefined, undefined]);
  });

  test('that does not read has nothing read ahead', async () => {
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
