import { expect, test } from 'vitest';
import { noAccessLimits } from '@modelwire/ports';
import type { Clock, KeyRecord, KeyStore, ProjectRecord } from '@modelwire/ports';
import { hashKey, makeKey } from './make-key.ts';
import { maxLookups } from '../lookup-cache.ts';
import { storedKeys } from './stored-keys.ts';

const project: ProjectRecord = {
  id: 'p',
  name: 'P',
  created: 0,
  archived: null,
  ...noAccessLimits,
  storageLimitBytes: null,
};

/** Both clocks of a process at the same reading. */
const clockAt = (now: () => number): Clock => ({ now, monotonic: now });

/** A store with one key, which counts its lookups. */
function storeOf(record: KeyRecord, of?: ProjectRecord, validUntil?: number) {
  const state = { record, asked: 0, broken: false, changed: (): unknown => undefined };
  const store: Pick<KeyStore, 'findByHash' | 'onChange'> = {
    onChange: (listener) => void (state.changed = listener),
    async findByHash(hash) {
      state.asked++;
      if (state.broken) throw new Error('the store is away');
      return hash === state.record.hash ? { key: state.record, project: of, validUntil } : undefined;
    },
  };
  return { state, store: store as KeyStore };
}

test('a key is found by its hash, with its project, role and limits', async () => {
  const { key, record } = makeKey({ project: 'p', role: 'read_only', requestsPerMinute: 5 });
  const { store } = storeOf(record, { ...project, tokensPerMinute: 100 });
  expect(await storedKeys(store).authenticate(key)).toEqual({
    keyId: record.id,
    project: 'p',
    role: 'read_only',
    limits: [
      { id: `key:${record.id}`, requestsPerMinute: 5 },
      { id: 'project:p', requestsPerMinute: null, tokensPerMinute: 100 },
    ],
  });
  expect(await storedKeys(store).authenticate(`${key}x`)).toBeUndefined();
});

test('queries the store once for a burst, and again when the cached lookup is too old: then a revocation has an effect', async () => {
  const { key, record } = makeKey();
  const { state, store } = storeOf(record);
  let now = 0;
  const { authenticate } = storedKeys(store, { clock: clockAt(() => now) });
  await Promise.all([authenticate(key), authenticate(key)]);
  state.record = { ...record, revoked: 1 };
  expect(await authenticate(key)).toBeDefined();
  expect(state.asked).toBe(1);
  now = 2000;
  expect(await authenticate(key)).toBeUndefined();
  expect(state.asked).toBe(2);
});

test('a change through the store drops cached and pending lookups', async () => {
  const { key, record } = makeKey();
  const { state, store } = storeOf(record);
  const { authenticate } = storedKeys(store, { clock: clockAt(() => 0) });
  expect(await authenticate(key)).toBeDefined();
  state.record = { ...record, revoked: 1 };
  state.changed();
  const underWay = authenticate(key);
  state.changed();
  expect(await authenticate(key)).toBeUndefined();
  await underWay;
  expect(state.asked).toBe(3);
});

test('a key expires on time, also while it is cached', async () => {
  const { key, record } = makeKey({ expires: 5 });
  let now = 4999;
  const { authenticate } = storedKeys(storeOf(record).store, { clock: clockAt(() => now) });
  expect(await authenticate(key)).toBeDefined();
  now = 5000;
  expect(await authenticate(key)).toBeUndefined();
});

test('the previous secret of a rotation expires on time', async () => {
  const { key, record } = makeKey();
  let now = 4999;
  const { authenticate } = storedKeys(storeOf(record, undefined, 5).store, { clock: clockAt(() => now) });
  expect(await authenticate(key)).toBeDefined();
  now = 5000;
  expect(await authenticate(key)).toBeUndefined();
});

test('a key of an archived project is refused', async () => {
  const { key, record } = makeKey({ project: 'p' });
  expect(await storedKeys(storeOf(record, { ...project, archived: 1 }).store).authenticate(key)).toBeUndefined();
});

test('an unavailable store causes an error, and is queried again', async () => {
  const { key, record } = makeKey();
  const { state, store } = storeOf(record);
  const { authenticate } = storedKeys(store);
  state.broken = true;
  await expect(authenticate(key)).rejects.toThrow('away');
  state.broken = false;
  expect(await authenticate(key)).toBeDefined();
});

test('many wrong keys are not cached forever', async () => {
  const { key, record } = makeKey();
  const { state, store } = storeOf(record);
  const { authenticate } = storedKeys(store, { clock: clockAt(() => 0) });
  await authenticate(key);
  for (let wrong = 0; wrong < maxLookups; wrong++) await authenticate(`wrong ${wrong}`);
  await authenticate(key);
  expect(state.asked).toBe(maxLookups + 2);
});

test('keys are long, have a recognizable prefix, and only their hash is stored', () => {
  const { key, record } = makeKey();
  expect(key).toMatch(/^mw-[\w-]{43}$/);
  expect(record.hash).toBe(hashKey(key));
  expect(JSON.stringify(record)).not.toContain(key.slice(7));
});
