import type { Stores } from '@modelwire/ports';
import { batchRecord } from '@modelwire/ports/testing';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { openPostgresStores } from './postgres-stores.ts';
import { freshSchema, url } from './testing/schema.ts';

const hour = 3_600_000;
const minute = 60_000;

afterEach(() => void vi.useRealTimers());

/** The stores of two servers on one schema, and a way to make calls with the server whose clock is wrong. */
async function twoServers(offsetMs: number) {
  const schema = freshSchema();
  const [right, wrong] = await Promise.all([openPostgresStores({ url, schema }), openPostgresStores({ url, schema })]);
  onTestFinished(async () => {
    await Promise.all([right.close(), wrong.close()]);
  });
  async function withWrongClock<Result>(call: (stores: Stores) => Promise<Result>): Promise<Result> {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + offsetMs });
    try {
      return await call(wrong);
    } finally {
      vi.useRealTimers();
    }
  }
  return { right, withWrongClock };
}

const clocks = [
  ['an hour fast', hour],
  ['an hour slow', -hour],
] as const;

test.each(clocks)('a server whose clock is %s claims jobs neither early nor holds them too long', async (_, offset) => {
  const { right, withWrongClock } = await twoServers(offset);
  const { batch, work } = batchRecord();
  await withWrongClock((stores) => stores.project('p').batches.create({ batch, work }));
  const claim = (stores: Stores, leaseMs: number) => stores.jobs.claim({ kinds: ['batch'], leaseMs });
  // Created by the server whose clock is wrong, due immediately for the other.
  const lease = await claim(right, minute);
  if (!lease) throw new Error('the job is not due');
  expect(await withWrongClock((stores) => claim(stores, minute))).toBeUndefined();
  await right.jobs.renew(lease, 0);
  const newLease = await withWrongClock((stores) => claim(stores, minute));
  if (!newLease) throw new Error('the expired lease was not taken over');
  expect(await claim(right, minute)).toBeUndefined();
  expect(await withWrongClock((stores) => stores.jobs.renew(newLease, 0))).toBe(true);
  expect(await claim(right, minute)).toMatchObject({ id: batch.id });
});

test.each(clocks)(
  'a server whose clock is %s takes over idempotency keys neither early nor keeps them too long',
  async (_, offset) => {
    const { right, withWrongClock } = await twoServers(offset);
    const claim = (stores: Stores, token: string) =>
      stores.project('p').idempotency.claim({ key: 'k', token, fingerprint: 'f', claimTtlMs: minute });
    const removeExpired = (stores: Stores) =>
      stores.removeExpired({ completionsBefore: undefined, now: Date.now(), limit: 9 });
    expect(await claim(right, 'right')).toEqual({ state: 'acquired' });
    expect(await withWrongClock(removeExpired)).toBe(0);
    expect(await withWrongClock((stores) => claim(stores, 'wrong'))).toEqual({ state: 'in_progress' });
    await right.project('p').idempotency.renew({ key: 'k', token: 'right' }, 0);
    expect(await withWrongClock((stores) => claim(stores, 'wrong'))).toEqual({ state: 'acquired' });
    expect(await claim(right, 'right')).toEqual({ state: 'in_progress' });
    const heldClaim = { key: 'k', token: 'wrong' };
    const response = { status: 200, contentType: 'a/b', body: '' };
    expect(await withWrongClock((stores) => stores.project('p').idempotency.finish(heldClaim, response, minute))).toBe(
      true,
    );
    expect(await removeExpired(right)).toBe(0);
    expect(await claim(right, 'right')).toEqual({ state: 'completed', response });
  },
);

test.each(clocks)('a server whose clock is %s removes bytes neither early nor late', async (_, offset) => {
  const { right, withWrongClock } = await twoServers(offset);
  const due = (stores: Stores) => stores.ledger.due({ limit: 9 });
  await right.ledger.reserve('of the right one', minute);
  await withWrongClock((stores) => stores.ledger.reserve('of the wrong one', minute));
  expect(await withWrongClock(due)).toEqual([]);
  expect(await due(right)).toEqual([]);
  await withWrongClock((stores) => stores.ledger.release('of the wrong one'));
  expect(await due(right)).toEqual(['of the wrong one']);
  await right.ledger.release('of the right one');
  // Both may have become due within one millisecond.
  expect((await withWrongClock(due)).toSorted()).toEqual(['of the right one', 'of the wrong one']);
  await withWrongClock((stores) => stores.ledger.postpone(['of the wrong one'], minute));
  expect(await due(right)).toEqual(['of the right one']);
});
