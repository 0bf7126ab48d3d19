import { DONE_EVENT } from '@modelwire/core';
import type { CachedResponse } from '@modelwire/ports';
import { expect, test, vi } from 'vitest';
import { openEventPipe } from '../streaming/event-pipe.ts';
import { pipeOptions } from '../testing/event-pipe.ts';
import type { EventSink } from '../streaming/event-pipe.ts';
import { runIdempotent } from './idempotency.ts';

const claimed = () => ({
  finish: vi.fn<(response: CachedResponse) => Promise<undefined>>(async () => undefined),
  release: vi.fn(async () => undefined),
  letExpire: vi.fn(),
});

/** What the storage throws when it does not answer. */
const outage = Object.assign(new Error('no response'), { outage: { dependency: 'postgres', cause: 'timeout' } });

/** Runs a request with a claimed key, whose reply is a stream. */
async function stream(produce: (sink: EventSink) => Promise<void>, claim = claimed()) {
  const started = async (sink: EventSink): Promise<void> => {
    sink.write('data: 1\n\n');
    await nextTurn();
    await produce(sink);
  };
  const reply = await runIdempotent(claim, async () => {
    const events = await openEventPipe({ ...pipeOptions, produce: started });
    if (typeof events === 'string') throw new Error('no stream');
    return { status: 200, events, done: events.done };
  });
  if (!('events' in reply) || typeof reply.events === 'string') throw new Error('no stream');
  const { events } = reply;
  const ends = () => [claim.finish, claim.release, claim.letExpire].map(({ mock }) => mock.calls.length);
  /** How often the claim was finished, released and left to expire when the client has all events. */
  async function outcome() {
    while ((await events.next()) !== undefined);
    return ends();
  }
  return { events, claim, ends, outcome };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
const once = { finish: [1, 0, 0], release: [0, 1, 0], letExpire: [0, 0, 1] };

test('a stream is stored as its reply before its last events are sent', async () => {
  const { events, claim } = await stream(async (sink) => sink.write('data: 2\n\n'));
  expect(await events.next()).toBe('data: 1\n\n');
  expect(claim.finish).not.toHaveBeenCalled();
  expect(await events.next()).toBe('data: 2\n\n');
  const body = 'data: 1\n\ndata: 2\n\n';
  expect(claim.finish.mock.calls).toEqual([[{ status: 200, contentType: 'text/event-stream; charset=utf-8', body }]]);
  expect(await events.next()).toBeUndefined();
});

test('a stream that says that it failed releases its key, also if it ends with [DONE]', async () => {
  const { outcome } = await stream(async (sink) => {
    sink.fail(new Error('broken'));
    sink.write(DONE_EVENT);
  });
  expect(await outcome()).toEqual(once.release);
});

test('a stream that breaks releases its key', async () => {
  const { outcome } = await stream(() => Promise.reject(new Error('broken')));
  expect(await outcome()).toEqual(once.release);
});

test('a stream with an unknown outcome keeps its key in use until the claim expires', async () => {
  const broken = await stream(() => Promise.reject(outage));
  expect(await broken.outcome()).toEqual(once.letExpire);
  const stated = await stream(async (sink) => {
    sink.fail(outage);
    sink.write('data: {"error":{}}\n\n');
  });
  expect(await stated.outcome()).toEqual(once.letExpire);
});

test('the key of a client that leaves is released when the request has ended', async () => {
  const { promise: ended, resolve: end } = Promise.withResolvers<undefined>();
  const { events, ends } = await stream(() => ended);
  events.cancel(undefined);
  await nextTurn();
  expect(ends()).toEqual([0, 0, 0]);
  end(undefined);
  await nextTurn();
  expect(ends()).toEqual(once.release);
});

test('a stream that is too long to be stored releases its key at its end', async () => {
  const { outcome } = await stream(async (sink) => sink.write('x'.repeat(4 * 1024 * 1024)));
  expect(await outcome()).toEqual(once.release);
});

test('a request that fails releases its key, unless the storage was unavailable: it may have been carried out', async () => {
  const failed = claimed();
  await expect(runIdempotent(failed, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect([failed.release.mock.calls.length, failed.letExpire.mock.calls.length]).toEqual([1, 0]);
  const unknown = claimed();
  await expect(runIdempotent(unknown, () => Promise.reject(outage))).rejects.toBe(outage);
  expect([unknown.release.mock.calls.length, unknown.letExpire.mock.calls.length]).toEqual([0, 1]);
});
