import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Stores } from '@modelwire/ports';
import { hashKey } from '@modelwire/server/keys';
import { openSqliteStores } from '@modelwire/store-sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConfigError } from '../config/config-error.ts';
import { keysCommand } from './keys-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'modelwire-keys-'));
let stores: Stores;
beforeAll(async () => {
  stores = await openSqliteStores({ path: join(folder, 'keys.sqlite') });
});
afterAll(async () => {
  await stores.close();
  rmSync(folder, { recursive: true });
});

const run = (line: string) => keysCommand(line.split(' '), stores);

interface PrintedKey {
  readonly key?: string;
  readonly id: string;
  readonly [field: string]: unknown;
}

test('prints a key once, when it is created, and never its hash', async () => {
  const created = JSON.parse(
    await run('create --project shop --role inference_only --name till --expires 2h --requests-per-minute 60 --json'),
  ) as PrintedKey;
  expect(created).toMatchObject({
    project: 'shop',
    role: 'inference_only',
    name: 'till',
    requestsPerMinute: 60,
    tokensPerMinute: null,
  });
  expect(Math.round((Number(created['expires']) - Date.now() / 1000) / 3600)).toBe(2);
  const listed = await run('list --json');
  expect(listed).toContain(created.id);
  expect(listed).not.toContain(created.key?.slice(8));
  // Matches the field name: an ID may contain the letters by chance.
  expect(listed).not.toMatch(/hash":/i);
  expect(await run('list')).toMatch(/key_\w+ +mw-.* +shop +inference_only +until .* +60 requests\/min +till/);
});

test('lists a revoked key as revoked', async () => {
  const { id } = JSON.parse(await run('create --json')) as PrintedKey;
  expect(await run(`revoke ${id}`)).toContain('revoked');
  expect(await run('list')).toMatch(new RegExp(`${id}.*revoked`));
});

test('replaces the secret of a key and prints the new one once', async () => {
  const created = JSON.parse(await run('create --json')) as PrintedKey;
  const rotated = JSON.parse(await run(`rotate ${created.id} --grace 1h --json`)) as PrintedKey;
  expect(rotated.id).toBe(created.id);
  const found = await stores.keys.findByHash(hashKey(created.key ?? ''));
  expect(Math.round(((found?.validUntil ?? 0) - Date.now() / 1000) / 60)).toBe(60);
  expect(await stores.keys.findByHash(hashKey(rotated.key ?? ''))).toMatchObject({ key: { id: created.id } });
  await expect(run(`rotate ${created.id} --grace 1h`)).rejects.toThrow('is still valid');
  await run(`rotate ${created.id}`);
  expect(await stores.keys.findByHash(hashKey(created.key ?? ''))).toBeUndefined();
  await run(`revoke ${created.id}`);
  await expect(run(`rotate ${created.id}`)).rejects.toThrow('revoked');
});

test('an expired key is not rotated until its expiry is changed', async () => {
  const { id } = JSON.parse(await run('create --json')) as PrintedKey;
  await stores.keys.update(id, { expires: 1_700_000_000 });
  await expect(run(`rotate ${id}`)).rejects.toThrow(`keys update ${id} --expires 30d`);
  await run(`update ${id} --expires 30d`);
  expect(JSON.parse(await run(`rotate ${id} --json`))).toMatchObject({ id });
});

test('records each change in the audit log', async () => {
  const { id } = JSON.parse(await run('create --project audited --json')) as PrintedKey;
  await run(`rotate ${id}`);
  await run(`revoke ${id}`);
  const page = await stores.audit.list({ limit: 10, projects: ['audited'] });
  expect(page?.items.map(({ type, actor, resource }) => [type, actor, resource])).toEqual([
    ['api_key.deleted', null, id],
    ['api_key.rotated', null, id],
    ['api_key.created', null, id],
  ]);
});

test('sets, changes and removes the limits of a key, and records it in the audit log', async () => {
  const created = JSON.parse(
    await run('create --project limited --allow-model a --allow-model b --max-output-tokens 7 --expires 1h --json'),
  ) as PrintedKey;
  expect(created).toMatchObject({ allowedModels: ['a', 'b'], maxOutputTokens: 7 });
  expect(await run(`update ${created.id} --name till --role read_only`)).toMatch(
    /read_only +until .* +7 output tokens, models: a b +till/,
  );
  expect(
    JSON.parse(await run(`update ${created.id} --allow-model none --max-output-tokens none --expires none --json`)),
  ).toMatchObject({ name: 'till', role: 'read_only', allowedModels: null, maxOutputTokens: null, expires: null });
  const page = await stores.audit.list({ limit: 1, projects: ['limited'] });
  expect(page?.items).toMatchObject([
    { type: 'api_key.updated', changes: { allowedModels: null, maxOutputTokens: null, expires: null } },
  ]);
  await run(`revoke ${created.id}`);
  await expect(run(`update ${created.id} --name x`)).rejects.toThrow('revoked');
});

test('sets and removes the limits of a project', async () => {
  expect(await run('limit shop --tokens-per-minute 100')).toContain('100 tokens/min');
  expect(await run('limit shop')).toContain('none');
});

test.each([
  ['create --role king', '--role'],
  ['create --expires soon', '--expires'],
  ['create --expires 0d', '--expires: expected a duration of at least 1m'],
  ['create --requests-per-minute 0', '--requests-per-minute'],
  ['create --allow-model ', '--allow-model'],
  ['create --allow-model none --allow-model a', "'none' cannot be combined"],
  ['update', 'keys update <id>'],
  ['update key_nobody --name x', 'key_nobody'],
  ['revoke', 'keys revoke <id>'],
  ['revoke key_nobody', 'key_nobody'],
  ['rotate key_nobody', 'key_nobody'],
  ['limit', 'keys limit <project>'],
  ['create --project ', '--project: expected 1 to 64 letters, digits'],
  ['create --project ..', "other than '.' and '..'"],
  ['create --project ../x', '--project'],
  ['limit ..', '<project>: expected 1 to 64 letters, digits'],
  ['limit a/b', '<project>'],
  ['dance', 'keys create'],
  ['dance', "Unknown command 'keys dance'."],
])('rejects `keys %s` and names %s', async (line, expected) => {
  await expect(run(line)).rejects.toThrow(ConfigError);
  await expect(run(line)).rejects.toThrow(expected);
});
