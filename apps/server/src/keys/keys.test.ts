import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMemoryStores } from '@modelwire/store-sqlite';
import { makeKey } from '@modelwire/server/keys';
import { expect, onTestFinished, test } from 'vitest';
import { loadApiKeys } from './keys.ts';

test('two servers that start at the same time on one folder share one key', async () => {
  const data = mkdtempSync(join(tmpdir(), 'modelwire-keys-'));
  onTestFinished(() => rmSync(data, { recursive: true }));
  const { keys } = openMemoryStores();
  const [first, second] = await Promise.all([loadApiKeys({ data }, keys), loadApiKeys({ data }, keys)]);
  expect([first.from, second.from]).toEqual(['created', 'stored']);
  expect(await keys.list()).toHaveLength(1);
  expect(await second.authenticator.authenticate(first.created ?? '')).toMatchObject({ project: 'default' });
});

test('rejects if the key cannot be stored', async () => {
  const data = mkdtempSync(join(tmpdir(), 'modelwire-keys-'));
  onTestFinished(() => rmSync(data, { recursive: true }));
  const { keys } = openMemoryStores();
  const broken = { ...keys, add: () => Promise.reject(new Error('read-only')) };
  await expect(loadApiKeys({ data }, broken)).rejects.toThrow('read-only');
});

test('revoking a key and changing limits through the store take effect immediately although lookups are cached', async () => {
  const data = mkdtempSync(join(tmpdir(), 'modelwire-keys-'));
  onTestFinished(() => rmSync(data, { recursive: true }));
  const { keys } = openMemoryStores();
  const { authenticator } = await loadApiKeys({ data }, keys);
  const { key, record } = makeKey({ project: 'p' });
  // An unknown key is cached too.
  expect(await authenticator.authenticate(key)).toBeUndefined();
  await keys.add(record);
  expect(await authenticator.authenticate(key)).toMatchObject({ project: 'p' });
  await keys.updateProject('p', { requestsPerMinute: 5 });
  expect((await authenticator.authenticate(key))?.limits).toContainEqual({
    id: 'project:p',
    requestsPerMinute: 5,
    tokensPerMinute: null,
  });
  await keys.revoke(record.id, 1);
  expect(await authenticator.authenticate(key)).toBeUndefined();
});
