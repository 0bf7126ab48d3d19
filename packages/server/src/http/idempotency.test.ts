import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { IdempotencyStore, CachedResponse } from '@modelwire/ports';
import { claimKey } from './idempotency.ts';

const times = { retentionMs: 100_000, claimTtlMs: 3000 };
const asked = { method: 'POST', url: '/v1/batches', body: '{}' };
const response = { status: 200, contentType: 'application/json', body: '{"id":"1"}' };

const report = vi.fn();

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => {
  vi.useRealTimers();
  report.mockClear();
});

/** A store that holds one key. */
function oneKey() {
  let kept: { token: string; until: number; response?: CachedResponse } | undefined;
  const held = (token: string) => kept?.token === token && !kept.response;
  const store: IdempotencyStore = {
    async claim({ token, claimTtlMs }) {
      if (kept && kept.until > Date.now())
        return kept.response ? { state: 'completed', response: kept.response } : { state: 'in_progress' };
      kept = { token, until: Date.now() + claimTtlMs };
      return { state: 'acquired' };
    },
    find: async () => undefined,
    async renew({ token }, claimTtlMs) {
      if (kept && held(token)) kept = { token, until: Date.now() + claimTtlMs };
      return held(token);
    },
    async finish({ token }, response, retentionMs) {
      if (!held(token)) return false;
      kept = { token, until: Date.now() + retentionMs, response };
      return true;
    },
    async release({ token }) {
      if (held(token)) kept = undefined;
    },
  };
  return { store, until: () => kept?.until };
}

async function claimed(store: IdempotencyStore) {
  const claim = await claimKey(store, 'k', asked, times, report);
  if (!('claimed' in claim)) throw new Error('the key was completed before');
  return claim.claimed;
}

test('a response that takes longer than the claim is created only once', async () => {
  const { store } = oneKey();
  const { finish } = await claimed(store);
  for (let seconds = 0; seconds < 60; seconds++) {
    await vi.advanceTimersByTimeAsync(1000);
    await expect(claimKey(store, 'k', asked, times, report)).rejects.toMatchObject({
      status: 409,
      code: 'idempotency_key_in_use',
    });
  }
  await finish(response);
  expect(await claimKey(store, 'k', asked, times, report)).toEqual({ response });
});

test('a short outage of the store does not lose the claim', async () => {
  const { store } = oneKey();
  let fails = 1;
  const renew = vi.fn<IdempotencyStore['renew']>(async (...args) => {
    if (fails-- > 0) throw new Error('no connection');
    return store.renew(...args);
  });
  await claimed({ ...store, renew });
  await vi.advanceTimersByTimeAsync(10_000);
  await expect(claimKey(store, 'k', asked, times, report)).rejects.toMatchObject({ code: 'idempotency_key_in_use' });
});

test.each(['finish', 'release'] as const)('a claim is not renewed after its %s', async (end) => {
  const { store } = oneKey();
  const renew = vi.fn(store.renew);
  const claim = await claimed({ ...store, renew });
  await (end === 'finish' ? claim.finish(response) : claim.release());
  await vi.advanceTimersByTimeAsync(60_000);
  expect(renew).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});

test('a claim that never ends is renewed for a day, and a lost one is not renewed', async () => {
  const { store, until } = oneKey();
  await claimed(store);
  await vi.advanceTimersByTimeAsync(times.retentionMs + times.claimTtlMs);
  expect([vi.getTimerCount(), (until() ?? 0) <= Date.now()]).toEqual([0, true]);
  await claimed({ ...store, renew: () => Promise.resolve(false) });
  await vi.advanceTimersByTimeAsync(times.claimTtlMs);
  expect(vi.getTimerCount()).toBe(0);
});

test('a claim that is left to expire lasts for claimTtlMs and is not renewed', async () => {
  const { store } = oneKey();
  const claim = await claimed(store);
  claim.letExpire();
  await vi.advanceTimersByTimeAsync(times.claimTtlMs - 1);
  await expect(claimKey(store, 'k', asked, times, report)).rejects.toMatchObject({ code: 'idempotency_key_in_use' });
  await vi.advanceTimersByTimeAsync(1);
  expect(await claimKey(store, 'k', asked, times, report)).toHaveProperty('claimed');
});

test('a response that cannot be stored is reported: its request succeeds, and its key stays claimed', async () => {
  const failure = new Error('the store is away');
  const { store, until } = oneKey();
  const { finish } = await claimed({ ...store, finish: () => Promise.reject(failure) });
  await finish(response);
  expect(report.mock.calls).toEqual([['the response of an idempotency key was not stored', failure]]);
  expect(until()).toBe(Date.now() + times.claimTtlMs);
});

test('a key that cannot be released is reported, and expires', async () => {
  const failure = new Error('the store is away');
  const { release } = await claimed({ ...oneKey().store, release: () => Promise.reject(failure) });
  await release();
  expect(report.mock.calls).toEqual([['an idempotency key was not released', failure]]);
});
