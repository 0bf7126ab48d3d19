import { afterAll, beforeAll, expect, test } from 'vitest';
import { EXIT } from './exit-codes.ts';
import { lines, ran } from './testing/fake-terminal.ts';
import { serve } from './testing/server.ts';
import type { Served } from './testing/server.ts';

let server: Served;
beforeAll(async () => (server = await serve()));
afterAll(() => server.stop());

/** The output of a command that succeeds. */
async function output(...words: readonly string[]): Promise<string> {
  const { code, out, err } = await ran(words, { env: server.adminEnv });
  expect([code, err]).toEqual([EXIT.ok, expect.any(String)]);
  return out;
}

/** The values that a command prints with `--json`. */
const values = async (...words: readonly string[]) =>
  lines(await output(...words, '--json')) as readonly Record<string, unknown>[];

async function value(...words: readonly string[]): Promise<Record<string, unknown>> {
  const [found] = await values(...words);
  if (!found) throw new Error('nothing was printed');
  return found;
}

test('projects are created, listed, changed, shown with their storage, and archived', async () => {
  const limits = ['--tokens-per-minute', '1000', '--storage', '10MB', '--allow-model', 'simulator'];
  expect(await value('projects', 'create', 'Shop', '--id', 'shop', ...limits)).toMatchObject({
    id: 'shop',
    tokens_per_minute: 1000,
    storage_limit_bytes: 10_000_000,
    allowed_models: ['simulator'],
  });
  expect((await values('projects', 'list')).map(({ id }) => id)).toContain('shop');
  await output('projects', 'update', 'shop', '--name', 'The shop');
  expect(await output('projects', 'get', 'shop')).toMatch(/name\tThe shop\n[^]*storage used\t0 B/);
  expect(await value('projects', 'archive', 'shop')).toMatchObject({ status: 'archived' });
  expect((await values('projects', 'list')).map(({ id }) => id)).not.toContain('shop');
  expect((await ran(['projects', 'update', 'shop'], { env: server.adminEnv })).code).toBe(EXIT.usage);
});

test('budgets are created, changed, overridden, reset, deleted, and shown by usage', async () => {
  const { id } = await value('budgets', 'create', '--project', 'default', '--hard-limit', '1000');
  const budget = String(id);
  expect(await value('budgets', 'update', budget, '--override-limit', '2000', '--soft-limit', '10')).toMatchObject({
    soft_limit: 10,
    hard_limit: 1000,
    override_limit: 2000,
  });
  expect(await value('budgets', 'update', budget, '--soft-limit', 'none')).toMatchObject({ soft_limit: null });
  expect(await values('usage', '--budgets')).toMatchObject([{ id, spent: 0 }]);
  expect(await values('budgets', 'list', '--project', 'other')).toEqual([]);
  expect(await output('budgets', 'get', budget)).toMatch(/project\tdefault/);
  expect(await value('budgets', 'reset', budget)).toMatchObject({ id, spent: 0 });
  expect(await value('budgets', 'delete', budget)).toMatchObject({ deleted: true });
  for (const words of [['create'], ['create', '--project', 'a', '--hard-limit', '1.5'], ['update', budget]]) {
    expect((await ran(['budgets', ...words], { env: server.adminEnv })).code).toBe(EXIT.usage);
  }
});

test('webhooks are created with a secret, changed, rotated and deleted; the audit log names each change', async () => {
  const url = 'https://hooks.example.com/modelwire';
  const created = await value('webhooks', 'create', url, '--event', 'batch.completed');
  expect(created).toMatchObject({ url, event_types: ['batch.completed'] });
  expect(created['secret']).toMatch(/^whsec_/);
  const id = String(created['id']);
  expect(await value('webhooks', 'update', id, '--disable')).toMatchObject({ enabled: false });
  expect(await output('webhooks', 'get', id)).not.toContain('whsec_');
  expect((await value('webhooks', 'rotate', id, '--grace', '60'))['secret']).not.toBe(created['secret']);
  expect(await values('webhooks', 'deliveries', id, '--status', 'failed')).toEqual([]);
  expect(await values('webhooks', 'list')).toMatchObject([{ id }]);
  const { code } = await ran(['webhooks', 'redeliver', id, 'none'], { env: server.adminEnv });
  expect(code).toBe(EXIT.notFound);
  await output('webhooks', 'delete', id);
  const types = (await values('audit', 'list', '--resource', id)).map(({ type }) => type);
  expect(types).toEqual(['webhook.deleted', 'webhook.rotated', 'webhook.updated', 'webhook.created']);
  expect(await values('audit', 'list', '--resource', id, '--type', 'webhook.created', '-n', '1')).toHaveLength(1);
});
