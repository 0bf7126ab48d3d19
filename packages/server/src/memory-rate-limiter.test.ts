import { expect, test } from 'vitest';
import { memoryRateLimiter } from './memory-rate-limiter.ts';

function clock() {
  const time = { ms: 0 };
  return { time, now: () => time.ms };
}

test('allows a minute of requests at once, then one by one as they come back', async () => {
  const { time, now } = clock();
  const limiter = memoryRateLimiter({ requestsPerMinute: 2, now });
  expect(await limiter.take('a')).toEqual({ retryAfterMs: 0, requests: { limit: 2, remaining: 1, resetMs: 30_000 } });
  expect((await limiter.take('a')).retryAfterMs).toBe(0);
  expect(await limiter.take('a')).toMatchObject({
    retryAfterMs: 30_000,
    refusedBy: 'requests',
    requests: { remaining: 0 },
  });
  time.ms = 30_000;
  expect((await limiter.take('a')).retryAfterMs).toBe(0);
});

test('each key has its own limit', async () => {
  const limiter = memoryRateLimiter({ requestsPerMinute: 1, ...clock() });
  await limiter.take('a');
  expect((await limiter.take('b')).retryAfterMs).toBe(0);
});

test('tokens are charged when they are known; a key in debt waits until it is out', async () => {
  const { time, now } = clock();
  const limiter = memoryRateLimiter({ tokensPerMinute: 60, now });
  await limiter.take('a');
  await limiter.charge('a', 90);
  expect(await limiter.take('a')).toMatchObject({
    retryAfterMs: 31_000,
    refusedBy: 'tokens',
    tokens: { remaining: 0 },
  });
  time.ms = 31_000;
  expect((await limiter.take('a')).retryAfterMs).toBe(0);
});
