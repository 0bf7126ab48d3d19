import { DONE_EVENT } from '@modelwire/core';
import { expect, test, vi } from 'vitest';
import { runIdempotent } from './run-idempotent.ts';

/** Of a stream that has ended. */
const done = Promise.resolve();

const claimed = () => ({
  finish: vi.fn(async () => undefined),
  release: vi.fn(async () => undefined),
  letExpire: vi.fn(),
});

test('a stream that fails releases its key, and ends as it would without one', async () => {
  const claim = claimed();
  const texts = ['data: {}\n\n'];
  const events = {
    async next() {
      const text = texts.shift();
      if (text === undefined) throw new Error('broken');
      return text;
    },
    cancel: () => undefined,
    onStall: () => undefined,
    done,
  };
  const reply = await runIdempotent(claim, () => ({ status: 200, events, done }), vi.fn());
  if (!('events' in reply) || typeof reply.events === 'string') throw new Error('no stream');
  expect(await reply.events.next()).toBe('data: {}\n\n');
  expect(claim.release).not.toHaveBeenCalled();
  await expect(reply.events.next()).rejects.toThrow('broken');
  expect(claim.release).toHaveBeenCalledOnce();
  expect(claim.finish).not.toHaveBeenCalled();
});

test('a stream whose response cannot be stored ends normally; its key stays claimed and the failure is reported', async () => {
  const failure = new Error('the store is away');
  const claim = { ...claimed(), finish: vi.fn(() => Promise.reject(failure)) };
  const texts = ['data: {}\n\n', DONE_EVENT];
  const events = { next: async () => texts.shift(), cancel: () => undefined, onStall: () => undefined, done };
  const report = vi.fn();
  const reply = await runIdempotent(claim, () => ({ status: 200, events, done }), report);
  if (!('events' in reply) || typeof reply.events === 'string') throw new Error('no stream');
  expect(await reply.events.next()).toBe('data: {}\n\n');
  expect(await reply.events.next()).toBe(DONE_EVENT);
  expect(await reply.events.next()).toBeUndefined();
  expect(report.mock.calls).toEqual([['the response of an idempotency key was not stored', failure]]);
  expect(claim.release).not.toHaveBeenCalled();
});

test('a complete response that cannot be stored is sent nevertheless', async () => {
  const away = () => Promise.reject(new Error('the store is away'));
  const claim = { ...claimed(), finish: vi.fn(away) };
  const report = vi.fn();
  const reply = await runIdempotent(claim, () => ({ status: 200, body: { id: 'a' } }), report);
  expect(reply).toMatchObject({ status: 200, cached: { body: '{"id":"a"}' } });
  expect(report.mock.calls.map(([what]: readonly unknown[]) => what)).toEqual([
    'the response of an idempotency key was not stored',
  ]);
  expect(claim.release).not.toHaveBeenCalled();
});

test('a request that fails releases its key, unless the storage was unavailable: it may have been carried out', async () => {
  const failed = claimed();
  await expect(runIdempotent(failed, () => Promise.reject(new Error('broken')), vi.fn())).rejects.toThrow('broken');
  expect([failed.release.mock.calls.length, failed.letExpire.mock.calls.length]).toEqual([1, 0]);
  const unknown = claimed();
  const outage = Object.assign(new Error('no response'), { outage: { dependency: 'postgres', cause: 'timeout' } });
  await expect(runIdempotent(unknown, () => Promise.reject(outage), vi.fn())).rejects.toBe(outage);
  expect([unknown.release.mock.calls.length, unknown.letExpire.mock.calls.length]).toEqual([0, 1]);
});
