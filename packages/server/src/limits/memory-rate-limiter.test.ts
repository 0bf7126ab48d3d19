import type { RateLimiter } from '@modelwire/ports';
import { expect, test } from 'vitest';
import { memoryRateLimiter } from './memory-rate-limiter.ts';

const a = { id: 'a' };

function testClock() {
  const time = { ms: 0 };
  return { time, clock: { monotonic: () => time.ms } };
}

/** The next request is refused, and one after `retryAfterMs` is not. */
async function expectRefusal(limiter: RateLimiter, time: { ms: number }, refusal: { readonly retryAfterMs: number }) {
  expect(await limiter.consume([a])).toMatchObject(refusal);
  time.ms += refusal.retryAfterMs;
  expect((await limiter.consume([a])).retryAfterMs).toBe(0);
}

test("allows a minute's requests at once, then one at a time as the bucket refills", async () => {
  const { time, clock } = testClock();
  const limiter = memoryRateLimiter({ requestsPerMinute: 2, clock });
  expect(await limiter.consume([a])).toEqual({
    retryAfterMs: 0,
    requests: { limit: 2, remaining: 1, resetMs: 30_000 },
  });
  expect((await limiter.consume([a])).retryAfterMs).toBe(0);
  const refusal = { retryAfterMs: 30_000, refusedBy: 'requests', requests: { remaining: 0 } };
  await expectRefusal(limiter, time, refusal);
});

test('each key has its own limit', async () => {
  const limiter = memoryRateLimiter({ requestsPerMinute: 1, ...testClock() });
  await limiter.consume([a]);
  expect((await limiter.consume([{ id: 'b' }])).retryAfterMs).toBe(0);
});

test('charges tokens at the end of a request; a key with a negative level waits until it is positive', async () => {
  const { time, clock } = testClock();
  const limiter = memoryRateLimiter({ tokensPerMinute: 60, clock });
  await limiter.consume([a]);
  await limiter.charge([a], 90);
  const refusal = { retryAfterMs: 31_000, refusedBy: 'tokens', tokens: { remaining: 0 } };
  await expectRefusal(limiter, time, refusal);
});

test('a request counts against all of its subjects or none, and reports the one with the least left', async () => {
  const limiter = memoryRateLimiter(testClock());
  const key = { id: 'key:1', requestsPerMinute: 5 };
  const project = { id: 'project:1', requestsPerMinute: 2 };
  expect(await limiter.consume([key, project])).toMatchObject({
    retryAfterMs: 0,
    requests: { limit: 2, remaining: 1 },
  });
  await limiter.consume([{ id: 'key:2' }, project]);
  expect(await limiter.consume([key, project])).toMatchObject({ retryAfterMs: 30_000, refusedBy: 'requests' });
  expect(await limiter.consume([key])).toMatchObject({ retryAfterMs: 0, requests: { remaining: 3 } });
});

test('tokens are reserved from all subjects or from none, and never more than the smallest limit', async () => {
  const limiter = memoryRateLimiter({ ...testClock() });
  const key = { id: 'key:1', tokensPerMinute: 100 };
  const project = { id: 'project:1', tokensPerMinute: 150 };
  expect(await limiter.reserve([key, project], { required: 80, max: 80 })).toEqual({
    retryAfterMs: 0,
    reserved: 80,
    tokens: { limit: 100, remaining: 20, resetMs: 48_000 },
  });
  expect(await limiter.reserve([key, project], { required: 30, max: 30 })).toEqual({
    retryAfterMs: 6000,
    refusedBy: 'tokens',
    reserved: 0,
    tokens: { limit: 100, remaining: 20, resetMs: 48_000 },
  });
  expect(await limiter.reserve([project], { required: 70, max: 70 })).toMatchObject({ reserved: 70 });
  const fresh = { id: 'key:2', tokensPerMinute: 100 };
  expect(await limiter.reserve([fresh], { required: 10, max: 5000 })).toMatchObject({ reserved: 100, retryAfterMs: 0 });
});

test('returned tokens are available again, up to the limit', async () => {
  const limiter = memoryRateLimiter({ tokensPerMinute: 100, ...testClock() });
  await limiter.reserve([a], { required: 100, max: 100 });
  await limiter.charge([a], -60);
  expect(await limiter.reserve([a], { required: 60, max: 60 })).toMatchObject({ reserved: 60 });
  await limiter.charge([a], -500);
  expect(await limiter.reserve([a], { required: 1, max: 500 })).toMatchObject({ reserved: 100 });
});

test('more tokens than a limit allows are refused permanently, by that limit', async () => {
  const limiter = memoryRateLimiter({ tokensPerMinute: 100, ...testClock() });
  expect(await limiter.reserve([a], { required: 101, max: 200 })).toMatchObject({ reserved: 0, exceededLimit: 100 });
  expect(limiter.limitsTokens([a])).toBe(true);
  expect(limiter.limitsTokens([{ id: 'b', tokensPerMinute: null }])).toBe(false);
});
