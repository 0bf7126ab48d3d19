import { expect, test } from 'vitest';
import { collect } from '../../test/recording.ts';
import { create, DONE, event } from '../../test/streams.ts';
import type { Chunk } from '../../test/streams.ts';
import { createAccumulatedStream } from './accumulated-stream.ts';
import { asStream } from './stream.ts';
import { createTransport } from '../transport/transport.ts';

/** A stream of numbers whose reply is their sum, complete with the number 3. */
function sumOf(body: string, signal?: AbortSignal) {
  const fetch = () => Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
  const transport = createTransport({ baseURL: 'http://localhost', fetch });
  let sum: number | undefined;
  let last: number | undefined;
  return createAccumulatedStream(
    (aborted) => transport.request(create, { signal: aborted }, asStream<Chunk>()),
    signal,
    {
      push({ n }) {
        sum = (sum ?? 0) + n;
        last = n;
      },
      snapshot: () => sum,
    },
    (whole) => (last === 3 ? whole : undefined),
    ({ n }, emit: (item: number) => void) => emit(n),
    ({ n }, emit) => emit(`number ${n}`),
  );
}

const complete = event(1) + event(2) + event(3) + DONE;

test('resolves to the reply when all payloads have arrived', async () => {
  const stream = sumOf(complete);
  expect(await stream.final()).toBe(6);
  expect(stream).toMatchObject({ state: 'finished' });
});

test('is iterated by its payloads, or by text', async () => {
  expect(await collect(sumOf(complete))).toEqual([1, 2, 3]);
  expect(await collect(sumOf(complete).text())).toEqual(['number 1', 'number 2', 'number 3']);
});

test('cannot be iterated twice', async () => {
  const stream = sumOf(complete);
  await collect(stream);
  expect(() => stream.text()).toThrow('A stream can be iterated once');
});

test('is truncated when a part of the reply is missing at its end, and keeps what arrived', async () => {
  const stream = sumOf(event(1) + event(2) + DONE);
  await expect(stream.final()).rejects.toMatchObject({ name: 'StreamError', reason: 'truncated', status: 200 });
  expect(stream.state).toBe('failed');
  expect(stream.snapshot()).toBe(3);
});

test('is aborted with its signal', async () => {
  const controller = new AbortController();
  const stream = sumOf(complete, controller.signal);
  controller.abort();
  await expect(stream.final()).rejects.toMatchObject({ name: 'AbortError' });
  expect(stream.state).toBe('aborted');
});
