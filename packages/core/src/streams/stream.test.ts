import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { serve, sleep, startEvents } from '../../test/server.ts';
import { create, DONE, drain, event, openStream, openBody } from '../../test/streams.ts';
import type { Chunk } from '../../test/streams.ts';
import { asStream } from './stream.ts';
import { createTransport } from '../transport/transport.ts';

describe('a stream that ends with [DONE]', () => {
  test('yields its payloads, is finished after [DONE], and ignores comments, pings and what follows', async () => {
    const stream = await openStream((response) => {
      startEvents(response);
      response.write(`: hello\n\n${event(1)}event: ping\n\nevent: ping\ndata: {}\n\n`);
      setTimeout(() => response.end(`${event(2)}${DONE}${event(3)}`), 5);
    });
    expect(stream).toMatchObject({ state: 'open', requestId: 'req_1', response: { status: 200 } });
    expect(await drain(stream)).toEqual({ received: [1, 2], error: undefined });
    expect(stream.state).toBe('finished');
  });

  test('sends Accept: text/event-stream', async () => {
    let accept: string | undefined;
    await openStream((response, { headers }) => {
      accept = headers.accept;
      startEvents(response);
      response.end(DONE);
    });
    expect(accept).toBe('text/event-stream');
  });

  test('leaves its connection for the next call', async () => {
    const server = await serve((response) => {
      startEvents(response);
      response.write(event(1) + DONE);
      response.on('finish', () => ended++);
      setTimeout(() => response.end(), 2);
    });
    let ended = 0;
    const transport = createTransport({ baseURL: server.baseURL });
    for (let n = 0; n < 10; n++) {
      await drain(await transport.request(create, {}, asStream<Chunk>()));
      await expect.poll(() => ended).toBe(n + 1);
      await sleep(10);
    }
    expect(server.connections()).toBeLessThanOrEqual(2);
  });

  test('does not wait for a server that keeps the connection open after [DONE]', async () => {
    let hasDisconnected = false;
    const stream = await openStream((response) => {
      response.on('close', () => (hasDisconnected = true));
      startEvents(response);
      response.write(event(1) + DONE);
    });
    expect(await drain(stream)).toEqual({ received: [1], error: undefined });
    await expect.poll(() => hasDisconnected).toBe(true);
  });

  test('yields the same payloads in batches, one for each read', async () => {
    const stream = await openBody([event(1) + event(2), ': x\n\n', event(3), DONE]);
    const batches: number[][] = [];
    for await (const batch of stream.batches()) batches.push(batch.map(({ n }) => n));
    expect(batches).toEqual([[1, 2], [3]]);
    expect(stream.state).toBe('finished');
  });

  test('yields the same payloads for any split', async () => {
    const text = new TextEncoder().encode(
      `\uFEFF: é\r\n${event(1)}${event(2).replaceAll('\n', '\r\n')}${event(3)}${DONE}`,
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(9)), async (sizes) => {
        let at = 0;
        const chunks = [...sizes.map((size) => text.slice(at, (at += size))), text.slice(at)];
        expect(await drain(await openBody(chunks))).toEqual({ received: [1, 2, 3], error: undefined });
      }),
    );
  });
});

describe('a stream that ends otherwise throws, after the payloads before it,', () => {
  test('truncated, when it ends before [DONE]', async () => {
    for (const tail of ['', 'data: {"n":2}\n', 'data: [DONE]']) {
      const stream = await openBody([event(1), tail]);
      const { received, error } = await drain(stream);
      expect(received).toEqual([1]);
      expect(error).toMatchObject({
        name: 'StreamError',
        reason: 'truncated',
        requestId: 'req_m',
        attempts: { length: 1 },
      });
      expect(stream.state).toBe('failed');
    }
  });

  test('truncated, when it ends before [DONE] and before the last payload by isLast', async () => {
    const options = { isLast: ({ n }: Chunk) => n === 2 };
    expect(await drain(await openBody([event(1)], {}, options))).toMatchObject({
      received: [1],
      error: { reason: 'truncated' },
    });
    for (const end of [[], [DONE]]) {
      const stream = await openBody([event(1), event(2), ...end], {}, options);
      expect(await drain(stream)).toEqual({ received: [1, 2], error: undefined });
      expect(stream.state).toBe('finished');
    }
  });

  test('truncated, when it is empty', async () => {
    expect(await drain(await openBody([]))).toMatchObject({ received: [], error: { reason: 'truncated' } });
  });

  test('a ConnectionError, when the connection fails', async () => {
    const stream = await openStream((response) => {
      startEvents(response);
      response.write(event(1));
      setTimeout(() => response.destroy(), 10);
    });
    const { received, error } = await drain(stream);
    expect(received).toEqual([1]);
    expect(error).toMatchObject({ name: 'ConnectionError', requestId: 'req_1', status: 200 });
    expect(stream.state).toBe('failed');
  });

  test('error_frame, with the fields of the error and never the key', async () => {
    const error = { message: 'Overloaded, sk-secret.', type: 'server_error', code: 'overloaded', param: null };
    for (const frame of [
      `data: ${JSON.stringify({ error })}\n\n`,
      `event: error\ndata: ${JSON.stringify(error)}\n\n`,
    ]) {
      const stream = await openStream((response) => {
        startEvents(response);
        response.end(event(1) + frame + event(2) + DONE);
      });
      const outcome = await drain(stream);
      expect(outcome.received).toEqual([1]);
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
      received: [1],
      error: { name: 'StreamError', reason: 'malformed', body: '{"n":', requestId: 'req_m' },
    });
  });

  test('too_large, when an event exceeds the limit', async () => {
    const stream = await openStream(
      (response) => {
        startEvents(response);
        response.write(event(1));
        response.write(`data: "${'x'.repeat(5000)}`);
      },
      { maxEventBytes: 1000 },
    );
    expect(await drain(stream)).toMatchObject({ received: [1], error: { reason: 'too_large', requestId: 'req_1' } });
  });

  test('a TimeoutError, when it stalls', async () => {
    const stream = await openStream(
      (response) => {
        startEvents(response);
        response.write(event(1));
      },
      { timeouts: { idle: 40 } },
    );
    const { received, error } = await drain(stream);
    expect(received).toEqual([1]);
    expect(error).toMatchObject({ name: 'TimeoutError', phase: 'idle', requestId: 'req_1' });
    expect(stream.state).toBe('failed');
  });

  test('a TimeoutError, when the whole call takes too long', async () => {
    const stream = await openStream(
      (response) => {
        startEvents(response);
        const timer = setInterval(() => response.write(': beat\n\n'), 10);
        response.on('close', () => clearInterval(timer));
      },
      {},
      { timeouts: { total: 1000, idle: 60_000 } },
    );
    expect(await drain(stream)).toMatchObject({ received: [], error: { name: 'TimeoutError', phase: 'total' } });
    expect(stream.state).toBe('failed');
  });

  test('and throws the same error for each further read', async () => {
    const stream = await openBody([event(1)]);
    const iterator = stream[Symbol.asyncIterator]();
    await iterator.next();
    for (let n = 0; n < 2; n++) await expect(iterator.next()).rejects.toMatchObject({ reason: 'truncated' });
  });
});
