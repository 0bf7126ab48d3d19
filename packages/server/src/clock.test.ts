import type { KeyRecord, KeyStore, SessionRecord, Stores } from '@modelwire/ports';
import { describe, expect, test } from 'vitest';
import { hashKey, makeKey } from './keys/make-key.ts';
import { storedKeys } from './keys/stored-keys.ts';
import { memoryRateLimiter } from './limits/memory-rate-limiter.ts';
import { createPolicies } from './limits/policies.ts';
import { memorySessionStore } from './sessions/memory-session-store.ts';
import { fakeClock } from './testing/fake-clock.ts';
import { listen } from './testing/listen.ts';
import { says, scriptedEngine } from './testing/scripted-engine.ts';

const hourMs = 3_600_000;

/** A store with one key, which another process can revoke: the cache is not told about it. */
function storeOf(init?: Partial<KeyRecord>) {
  const { key, record } = makeKey(init);
  const state: { record: KeyRecord; reads: number } = { record, reads: 0 };
  const read = () => {
    state.reads++;
    return Promise.resolve(state.record);
  };
  const keys: Pick<KeyStore, 'findByHash' | 'get' | 'getProject'> = {
    findByHash: async () => ({ key: await read(), project: undefined, validUntil: undefined }),
    get: read,
    getProject: () => Promise.resolve(undefined),
  };
  const budgets: Pick<Stores['budgets'], 'list'> = { list: () => Promise.resolve([]) };
  return { key, record, state, keys: keys as KeyStore, budgets: budgets as Stores['budgets'] };
}

describe.each([
  ['back', -hourMs],
  ['forward', hourMs],
])('when the system clock is set an hour %s', (_direction, jumpMs) => {
  test('a rate limit neither locks a key out nor is replenished', async () => {
    const clock = fakeClock();
    const limiter = memoryRateLimiter({ requestsPerMinute: 2, clock });
    const subjects = [{ id: 'a' }];
    await limiter.consume(subjects);
    clock.set(jumpMs);
    expect(await limiter.consume(subjects)).toMatchObject({ retryAfterMs: 0, requests: { remaining: 0 } });
    expect(await limiter.consume(subjects)).toMatchObject({ retryAfterMs: 30_000 });
    clock.advance(30_000);
    expect(await limiter.consume(subjects)).toMatchObject({ retryAfterMs: 0 });
  });

  test('a cached key is looked up again after the lifetime of the cache, not before: its revocation has an effect', async () => {
    const clock = fakeClock();
    const { key, record, state, keys } = storeOf();
    const { authenticate } = storedKeys(keys, { clock });
    expect(await authenticate(key)).toBeDefined();
    clock.set(jumpMs);
    state.record = { ...record, revoked: 1 };
    clock.advance(1999);
    expect(await authenticate(key)).toBeDefined();
    clock.advance(1);
    expect(await authenticate(key)).toBeUndefined();
    expect(state.reads).toBe(2);
  });

  test('a cached policy is read again after the lifetime of the cache, not before', async () => {
    const clock = fakeClock();
    const { record, state, ...stores } = storeOf();
    const policies = createPolicies({ stores, clock });
    const principal = { keyId: record.id, project: 'p' };
    const accessEnd = async () => (await policies.get(principal)).accessEndedBy;
    expect(await accessEnd()).toBeUndefined();
    clock.set(jumpMs);
    state.record = { ...record, revoked: 1 };
    clock.advance(1999);
    expect(await accessEnd()).toBeUndefined();
    clock.advance(1);
    expect(await accessEnd()).toBe('key_revoked');
  });

  test('a session in memory lasts as long as it should', async () => {
    const clock = fakeClock();
    const store = memorySessionStore(clock);
    const created = clock.now() / 1000;
    const session: SessionRecord = {
      hash: 'h',
      kind: 'session',
      keyHash: hashKey('k'),
      person: null,
      created,
      expires: created + 60,
    };
    await store.add(session);
    const remaining = async () => ((await store.find('h'))?.expires ?? 0) - clock.now() / 1000;
    clock.set(jumpMs);
    clock.advance(20_000);
    expect(await remaining()).toBe(40);
    await store.extend('h', clock.now() / 1000 + 90);
    clock.set(-jumpMs);
    clock.advance(30_000);
    expect(await remaining()).toBe(60);
    expect(await store.consume('h')).toMatchObject({ created: created, keyHash: hashKey('k') });
  });
});

test('a key expires by the system clock, since its expiry is a timestamp', async () => {
  const clock = fakeClock();
  const { key, keys } = storeOf({ expires: clock.now() / 1000 + 60 });
  const { authenticate } = storedKeys(keys, { clock });
  expect(await authenticate(key)).toBeDefined();
  clock.set(60_000);
  expect(await authenticate(key)).toBeUndefined();
});

test('clients see the IDs and the time of the options', async () => {
  const clock = fakeClock();
  let ids = 0;
  const { client } = await listen({
    engines: [scriptedEngine(() => says('yes'))],
    clock,
    createId: (prefix) => `${prefix}${++ids}`,
  });
  const messages = [{ role: 'user' as const, content: 'Is it?' }];
  const create = () => client.chat.completions.create({ model: 'scripted', messages });
  expect(await create()).toMatchObject({ id: 'chatcmpl-2', created: 1_700_000_000, _request_id: 'req_1' });
  clock.advance(7000);
  expect(await create()).toMatchObject({ id: 'chatcmpl-4', created: 1_700_000_007, _request_id: 'req_3' });
});
