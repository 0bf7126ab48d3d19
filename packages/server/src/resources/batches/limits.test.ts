import { expect, test } from 'vitest';
import { memoryRateLimiter } from '../../limits/memory-rate-limiter.ts';
import { createServer } from '../../server.ts';
import { lines, serve } from '../../testing/serve-batches.ts';

/** A clock that runs a thousand times as fast, so that limits per minute recover during the test. */
const fast = (): number => performance.now() * 1000;

test.each(['batchRequestsPerMinute', 'batchTokensPerMinute'])(
  '%s without a rate limiter is rejected by createServer',
  (name) => {
    expect(() => createServer({ engines: [], keys: 'open', [name]: 10 })).toThrow(`${name} requires a rateLimiter`);
  },
);

test('batch lines have their own rate limits: they wait for them, and a line that can never fit fails', async () => {
  const rateLimiter = memoryRateLimiter({ requestsPerMinute: 1, clock: { monotonic: fast } });
  const { work, create, until, engine } = await serve({
    rateLimiter,
    batchRequestsPerMinute: 60,
    batchTokensPerMinute: 400,
  });
  const small = lines(6, { max_completion_tokens: 100 });
  const [large] = lines(1, { max_completion_tokens: 1000 });
  const { id } = await create(work.input([...small, { ...large, custom_id: 'large' }]));
  const batch = await until(id, 'completed');
  expect(batch.request_counts).toEqual({ total: 7, completed: 6, failed: 1 });
  expect(engine.asked).toHaveLength(6);
});
