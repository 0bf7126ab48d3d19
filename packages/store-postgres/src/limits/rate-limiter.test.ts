import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RateLimiter, RateSubject, Stores } from '@modelwire/ports';
import { openPostgresStores } from '../postgres-stores.ts';
import { freshSchema, url } from '../testing/schema.ts';

const schema = freshSchema();
const client = new pg.Client(url);
let replicas: Stores[] = [];
let one: RateLimiter;
let other: RateLimiter;

beforeAll(async () => {
  await client.connect();
  replicas = await Promise.all(
    [1, 2].map(() => openPostgresStores({ url, schema, rateLimits: { requestsPerMinute: 2 } })),
  );
  [one, other] = replicas.map(({ rateLimiter }) => {
    if (!rateLimiter) throw new Error('no limiter');
    return rateLimiter;
  }) as [RateLimiter, RateLimiter];
});
afterAll(async () => {
  await Promise.all(replicas.map((stores) => stores.close()));
  await client.end();
});

/** Advances the time of all limits. */
const wait = (ms: number) =>
  client.query(`update ${schema}.rate_limits set updated_at_ms = updated_at_ms - $1::float8`, [ms]);

test('grants as many concurrent requests over two replicas as the limit allows', async () => {
  const subjects: RateSubject[] = [{ id: 'key:a', requestsPerMinute: 7 }];
  const decisions = await Promise.all(
    Array.from({ length: 40 }, async (_, index) => (index % 2 ? one : other).consume(subjects)),
  );
  // A limit of 7 regains one in 8.6 seconds: at most one was regained meanwhile.
  const free = decisions.filter(({ retryAfterMs }) => retryAfterMs === 0);
  expect([7, 8]).toContain(free.length);
  expect(new Set(free.map(({ requests }) => requests?.remaining)).size).toBe(free.length === 7 ? 7 : 7);
  const refused = decisions.find(({ retryAfterMs }) => retryAfterMs > 0);
  expect(refused).toMatchObject({ refusedBy: 'requests', requests: { limit: 7, remaining: 0 } });
  expect(refused?.retryAfterMs).toBeLessThanOrEqual(60_000 / 7 + 1);
});

test('refills a limit evenly over a minute, up to its capacity', async () => {
  const subjects: RateSubject[] = [{ id: 'key:b', requestsPerMinute: 60 }];
  for (let time = 0; time < 60; time++) await one.consume(subjects);
  await client.query(`update ${schema}.rate_limits set level = 0 where bucket like '%key:b'`);
  expect((await one.consume(subjects)).retryAfterMs).toBeGreaterThan(0);
  await wait(1000);
  expect((await one.consume(subjects)).retryAfterMs).toBe(0);
  await wait(3_600_000);
  expect(await one.consume(subjects)).toMatchObject({ retryAfterMs: 0, requests: { limit: 60, remaining: 59 } });
});

test('takes nothing from any bucket when one subject exceeds its limit', async () => {
  const wide = { id: 'project:c', requestsPerMinute: 100 };
  const narrow = { id: 'key:c', requestsPerMinute: 1 };
  expect(await one.consume([narrow, wide])).toMatchObject({ retryAfterMs: 0, requests: { limit: 1, remaining: 0 } });
  for (let time = 0; time < 5; time++)
    expect(await other.consume([wide, narrow])).toMatchObject({ refusedBy: 'requests' });
  expect(await one.consume([wide])).toMatchObject({ retryAfterMs: 0, requests: { limit: 100, remaining: 98 } });
});

test('charges tokens afterwards, on every replica; a subject with a negative balance is rejected until it recovers', async () => {
  const subjects: RateSubject[] = [{ id: 'key:d', requestsPerMinute: null, tokensPerMinute: 600 }];
  expect(await one.consume(subjects)).toEqual({ retryAfterMs: 0, tokens: { limit: 600, remaining: 600, resetMs: 0 } });
  await one.charge(subjects, 500);
  expect(await other.consume(subjects)).toMatchObject({ retryAfterMs: 0 });
  await other.charge(subjects, 700);
  const refused = await one.consume(subjects);
  expect(refused).toMatchObject({ refusedBy: 'tokens', tokens: { limit: 600, remaining: 0 } });
  // A debt of 600 and one to take, at 600 a minute, less the elapsed time.
  expect(refused.retryAfterMs).toBeGreaterThan(50_000);
  expect(refused.retryAfterMs).toBeLessThanOrEqual(60_100);
  await wait(60_100);
  expect(await one.consume(subjects)).toMatchObject({ retryAfterMs: 0 });
});

test('a subject without its own limit has the default; null is unlimited', async () => {
  expect(await one.consume([{ id: 'key:e' }])).toMatchObject({ requests: { limit: 2, remaining: 1 } });
  expect(await one.consume([{ id: 'key:f', requestsPerMinute: null }])).toEqual({ retryAfterMs: 0 });
  expect(await one.consume([])).toEqual({ retryAfterMs: 0 });
  await one.charge([{ id: 'key:e' }], 100);
  expect(await one.consume([{ id: 'key:e' }])).toMatchObject({ retryAfterMs: 0, requests: { limit: 2, remaining: 0 } });
});

test('replicas that name the same subjects in different orders do not deadlock', async () => {
  const subjects = Array.from({ length: 6 }, (_, index) => ({
    id: `key:g${index}`,
    requestsPerMinute: 1e6,
    tokensPerMinute: 1e6,
  }));
  await Promise.all(
    Array.from({ length: 60 }, async (_, index) => {
      const limiter = index % 2 ? one : other;
      const order = subjects.toSorted(
        (a, b) => ((index * 7 + a.id.charCodeAt(5)) % 6) - ((index * 5 + b.id.charCodeAt(5)) % 6),
      );
      await limiter.consume([...order, ...order]);
      await limiter.charge(order, 1);
    }),
  );
  expect(await one.consume(subjects)).toMatchObject({ retryAfterMs: 0 });
});

test('accepts any text as a subject', async () => {
  for (const text of ['\0', "'; drop table rate_limits; --", '\ud800', '$1']) {
    const subjects = [{ id: text, requestsPerMinute: 1 }];
    expect(await one.consume(subjects)).toMatchObject({ retryAfterMs: 0 });
    expect(await other.consume(subjects)).toMatchObject({ refusedBy: 'requests' });
  }
});

test('removes full buckets with expired records, and keeps the others', async () => {
  await client.query(`truncate ${schema}.rate_limits`);
  await one.consume([{ id: 'key:h', requestsPerMinute: 60 }]);
  await one.charge([{ id: 'key:i', tokensPerMinute: 60 }], 1000);
  await wait(60_000);
  expect(await replicas[0]?.removeExpired({ completionsBefore: undefined, now: 0, limit: 5 })).toBe(0);
  const { rows } = await client.query(`select bucket from ${schema}.rate_limits`);
  expect(rows).toEqual([{ bucket: 'tokens key:i' }]);
});

test('grants no more concurrent token reservations over two replicas than the limit allows', async () => {
  const subjects: RateSubject[] = [{ id: 'key:j', requestsPerMinute: null, tokensPerMinute: 200 }];
  const startMs = performance.now();
  const reservations = await Promise.all(
    Array.from({ length: 60 }, async (_, index) =>
      (index % 2 ? one : other).reserve(subjects, { required: 30, max: 30 }),
    ),
  );
  const regained = ((performance.now() - startMs) * 200) / 60_000;
  const total = reservations.reduce((sum, { reserved }) => sum + reserved, 0);
  expect(total).toBeGreaterThanOrEqual(180);
  expect(total).toBeLessThanOrEqual(200 + regained);
  expect(reservations.find(({ reserved }) => reserved === 0)).toMatchObject({ refusedBy: 'tokens' });
  await other.charge(subjects, -total);
  expect(await one.reserve(subjects, { required: 1, max: 150 })).toMatchObject({ reserved: 150, retryAfterMs: 0 });
  expect(await other.reserve(subjects, { required: 1, max: 1000 })).toMatchObject({ reserved: 0, refusedBy: 'tokens' });
  expect(await one.reserve(subjects, { required: 201, max: 201 })).toMatchObject({ reserved: 0, exceededLimit: 200 });
  // 50 and the tokens regained meanwhile are left, less than the required 150.
  const rest = await other.reserve(subjects, { required: 1, minToAdmit: 40, max: 150 });
  expect(rest.retryAfterMs).toBe(0);
  expect(rest.reserved).toBeGreaterThanOrEqual(50);
  expect(rest.reserved).toBeLessThan(150);
  expect(rest.tokens?.remaining).toBe(0);
  expect(await one.reserve(subjects, { required: 1, minToAdmit: 190, max: 200 })).toMatchObject({
    refusedBy: 'tokens',
  });
  expect(one.limitsTokens(subjects)).toBe(true);
  expect(one.limitsTokens([{ id: 'key:k' }])).toBe(false);
});
