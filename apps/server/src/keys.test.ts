import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMemoryStores } from '@modelwire/store-sqlite';
import { makeKey } from '@modelwire/server/keys';
import { expect, onTestFinished, test } from 'vitest';
import { keysOf } from './keys.ts';

test('two servers that start at once on one folder both start, with one key', async () => {
  const data = mkdtempSync(join(tmpdir(), 'modelwire-keys-'));
  onTestFinished(() => rmSync(data, { recursive: true }));
  const { keys } = openMemoryStores();
  const [first, second] = await Promise.all([keysOf({ data }, keys), keysOf({ data }, keys)]);
  expect([first.from, second.from]).toEqual(['made', 'stored']);
  expect(await keys.list()).toHaveLength(1);
  expect(await second.authenticator.authenticate(first.made ?? '')).toMatchObject({ project: 'default' });
});

test('a key that cannot be kept is told of', async () => {
  const data = mkdtempSync(join(tmpdir(), 'modelwire-keys-'));
  onTestFinished(() => rmSync(data, { recursive: true }));
  const { keys } = openMemoryStores();
  const broken = { ...keys, add: () => Promise.reject(new Error('read-only')) };
  await expect(keysOf({ data }, broken)).rejects.toThrow('read-only');
});

test('revoking a key and changing limits through the store take effect at once, though lookups are cached', async () => {
  const data = mkdtempSync(join(tmpdir(), 'modelwire-keys-'));
  onTestFinished(() => rmSync(data, { recursive: true }));
  const { keys } = openMemoryStores();
  const { authenticator } = await keysOf({ data }, keys);
  const { key, record } = makeKey({ project: 'p' });
  // Not a key yet: that is cached too.
  expect(await authenticator.authenticate(key)).toBeUndefined();
  await keys.add(record);
  expect(await authenticator.authenticate(key)).toMatchObject({ project: 'p' });
  await keys.setProject({ id: 'p', requestsPerMinute: 5, tokensPerMinute: null });
  expect((await authenticator.authenticate(key))?.limits).toContainEqual({
    id: 'project:p',
    requestsPerMinute: 5,
    tokensPerMinute: null,
  });
  await keys.revoke(record.id, 1);
  expect(await authenticator.authenticate(key)).toBeUndefined();
});
