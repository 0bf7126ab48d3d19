import { afterAll, beforeAll, expect, test } from 'vitest';
import { EXIT } from './exit-codes.ts';
import { lines, runCommand } from './testing/fake-terminal.ts';
import { serve } from './testing/server.ts';
import type { Served } from './testing/server.ts';

let server: Served;
beforeAll(async () => (server = await serve()));
afterAll(() => server.stop());

/** The output of a command that succeeds. */
async function output(...words: readonly string[]): Promise<string> {
  const { code, out, err } = await runCommand(words, { env: server.adminEnv });
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
  expect((await runCommand(['projects', 'update', 'shop'], { env: server.adminEnv })).code).toBe(EXIT.usage);
});

test('"none" removes the limits of projects', async () => {
  const limits = ['--max-output-tokens', '7', '--storage', '1MB', '--allow-model', 'simulator'];
  const rates = ['--requests-per-minute', '5', '--tokens-per-minute', '6'];
  await output('projects', 'create', 'Limited', '--id', 'limited', ...limits, ...rates);
  expect(await value('projects', 'get', 'limited')).toMatchObject({ max_output_tokens: 7, requests_per_minute: 5 });
  const removed = ['--max-output-tokens', 'none', '--storage', 'none', '--allow-model', 'none'];
  const removedRates = ['--requests-per-minute', 'none', '--tokens-per-minute', 'none'];
  await output('projects', 'update', 'limited', ...removed, ...removedRates);
  expect(await value('projects', 'get', 'limited')).toMatchObject({
    max_output_tokens: null,
    storage_limit_bytes: null,
    allowed_models: null,
    requests_per_minute: null,
    tokens_per_minute: null,
  });
});

test('the limits, the name, the role and the expiry of a key are set when it is created, changed, and removed with "none"', async () => {
  const limits = ['--allow-model', 'simulator', '--allow-model', 'storyboard', '--max-output-tokens', '7'];
  const created = await value('keys', 'create', ...limits, '--expires', '1h');
  expect(created).toMatchObject({ allowed_models: ['simulator', 'storyboard'], max_output_tokens: 7 });
  const id = String(created['id']);
  expect(await output('keys', 'update', id, '--name', 'till', '--role', 'read_only')).toMatch(
    /name\ttill\n[^]*role\tread_only\n[^]*max output tokens\t7\nallowed models\tsimulator storyboard\n/,
  );
  const removed = ['--allow-model', 'none', '--max-output-tokens', 'none', '--expires', 'none'];
  expect(await value('keys', 'update', id, ...removed, '--requests-per-minute', '3')).toMatchObject({
    id,
    name: 'till',
    allowed_models: null,
    max_output_tokens: null,
    expires_at: null,
    requests_per_minute: 3,
  });
});

test.each([
  [['projects', 'update', 'default', '--max-output-tokens', '0'], 'Expected an integer of at least 1, or none.'],
  [['projects', 'update', 'default', '--storage', 'much'], 'Expected a size such as 16MiB, 64MB or 1000000, or none.'],
  [['projects', 'update', 'default', '--allow-model', 'none', '--allow-model', 'a'], 'cannot be combined'],
  [['keys', 'update', 'key_abc'], 'Specify at least one option to change'],
  [['keys', 'create', '--expires', '0d'], 'Expected a duration of at least 1m.'],
  [['keys', 'update', 'key_abc', '--expires', '00h'], 'Expected a duration of at least 1m.'],
  [['keys', 'create', '--requests-per-minute', '1.5'], 'Expected an integer of at least 1, or none.'],
])('%j is a usage error: %s', async (words, message) => {
  const { code, err } = await runCommand(words, { env: server.adminEnv });
  expect([code, err]).toEqual([EXIT.usage, expect.stringContaining(message)]);
});

test('keys are created, used, rotated with a grace period, listed and revoked over HTTP', async () => {
  await output('projects', 'create', 'Till', '--id', 'till');
  const flags = ['--project', 'till', '--role', 'read_only', '--name', 'scanner', '--expires', '30d'];
  const created = await value('keys', 'create', ...flags, '--requests-per-minute', '60');
  expect(created).toMatchObject({ project_id: 'till', role: 'read_only', name: 'scanner', requests_per_minute: 60 });
  const inThirtyDays = Date.now() / 1000 + 30 * 86_400;
  expect(Math.abs(Number(created['expires_at']) - inThirtyDays)).toBeLessThan(3600);
  const id = String(created['id']);
  const use = async (key: unknown) =>
    (await runCommand(['models', 'list'], { env: { ...server.env, MODELWIRE_API_KEY: String(key) } })).code;
  expect(await use(created['value'])).toBe(EXIT.ok);

  const rotated = await value('keys', 'rotate', id, '--grace', '1h');
  expect(rotated).toMatchObject({ id, project_id: 'till' });
  for (const key of [created['value'], rotated['value']]) expect(await use(key)).toBe(EXIT.ok);
  const again = await runCommand(['keys', 'rotate', id, '--grace', '1h'], { env: server.adminEnv });
  expect([again.code, again.err]).toEqual([EXIT.rejected, expect.stringContaining('is still valid')]);

  expect(await values('keys', 'list', '--project', 'till')).toMatchObject([{ id }]);
  const listed = await values('keys', 'list');
  expect(listed.map((key) => key['id'])).toContain(id);
  const times = listed.map((key) => Number(key['created_at']));
  expect(times).toEqual(times.toSorted((one, other) => other - one));
  expect(await output('keys', 'list')).not.toContain(String(rotated['value']));
  expect(await value('keys', 'limit', 'till', '--tokens-per-minute', '9')).toMatchObject({ tokens_per_minute: 9 });
  const revoked = await value('keys', 'revoke', id, '--project', 'till');
  expect([revoked['id'], typeof revoked['revoked_at']]).toEqual([id, 'number']);
  expect(await use(rotated['value'])).toBe(EXIT.unauthorized);
});

test('a project that cannot be read does not prevent the keys of the others from being listed, rotated and revoked', async () => {
  const other = await serve();
  try {
    const env = other.adminEnv;
    const run = (...words: readonly string[]) => runCommand([...words, '--json'], { env });
    // As older servers did, which accepted these IDs. In lists, they come before 'default'.
    await other.addProject('..');
    await other.addProject('');
    const [created] = lines((await run('keys', 'create', '--name', 'leaked')).out) as { id: string }[];
    const id = created?.id ?? '';

    const listed = await run('keys', 'list');
    expect(listed.code).toBe(EXIT.unsuccessful);
    expect(listed.err).toContain('Cannot list the keys of the project ".."');
    expect(listed.err).toContain('Cannot list the keys of the project ""');
    expect(lines(listed.out)).toContainEqual(expect.objectContaining({ id, revoked_at: null }));

    expect((await run('keys', 'rotate', id)).code).toBe(EXIT.ok);
    expect((await run('keys', 'revoke', id)).code).toBe(EXIT.ok);
    const absent = await run('keys', 'revoke', 'key_none');
    expect([absent.code, absent.err]).toEqual([
      EXIT.notFound,
      expect.stringContaining('Cannot search the project ".."'),
    ]);
    const invalid = await run('keys', 'revoke', '..');
    expect([invalid.code, invalid.err]).toEqual([EXIT.usage, expect.stringContaining('api_key_id')]);
  } finally {
    await other.stop();
  }
});

test.each([
  [['keys', 'revoke', 'key_none'], EXIT.notFound],
  [['keys', 'revoke', '../projects/default'], EXIT.notFound],
  [['keys', 'create', '--project', 'none'], EXIT.notFound],
  [['keys', 'create', '--expires', 'soon'], EXIT.usage],
  [['keys', 'rotate', 'key_none', '--grace', '1 h'], EXIT.usage],
])('%j fails with exit code %i', async (words, code) => {
  expect((await runCommand(words, { env: server.adminEnv })).code).toBe(code);
});

test('keys are not shown to a key without the role admin', async () => {
  expect((await runCommand(['keys', 'list'], { env: server.env })).code).toBe(EXIT.unauthorized);
});

test('budgets are created, changed, overridden, reset, deleted, and shown by usage', async () => {
  const { id } = await value('budgets', 'create', '--project', 'default', '--hard-limit', '1000');
  const budget = String(id);
  expect(await value('budgets', 'update', budget, '--override-limit', '2000', '--soft-limit', '10')).toMatchObject({
    soft_limit: 10,
    hard_limit: 1000,
    override_limit: 2000,
  });
  const aboveHardLimit = await runCommand(['budgets', 'update', budget, '--soft-limit', '1001'], {
    env: server.adminEnv,
  });
  expect(aboveHardLimit.code).not.toBe(0);
  expect(aboveHardLimit.err).toMatch(/1001 is above 'hard_limit', which is 1000/);
  expect(await value('budgets', 'update', budget, '--soft-limit', 'none')).toMatchObject({ soft_limit: null });
  expect(await values('usage', '--budgets')).toMatchObject([{ id, spent: 0 }]);
  expect(await values('budgets', 'list', '--project', 'other')).toEqual([]);
  expect(await output('budgets', 'get', budget)).toMatch(/project\tdefault/);
  expect(await value('budgets', 'reset', budget)).toMatchObject({ id, spent: 0 });
  expect(await value('budgets', 'delete', budget)).toMatchObject({ deleted: true });
  for (const words of [
    ['create'],
    ['create', '--project', 'a', '--hard-limit', '1.5'],
    ['create', '--project', 'a', '--soft-limit', '2', '--hard-limit', '1'],
    ['update', budget],
  ]) {
    expect((await runCommand(['budgets', ...words], { env: server.adminEnv })).code).toBe(EXIT.usage);
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
  expect((await value('webhooks', 'rotate', id, '--grace', '1m'))['secret']).not.toBe(created['secret']);
  expect(await values('webhooks', 'deliveries', id, '--status', 'failed')).toEqual([]);
  expect(await values('webhooks', 'list')).toMatchObject([{ id }]);
  const { code } = await runCommand(['webhooks', 'redeliver', id, 'none'], { env: server.adminEnv });
  expect(code).toBe(EXIT.notFound);
  await output('webhooks', 'delete', id);
  const types = (await values('audit', 'list', '--resource', id)).map(({ type }) => type);
  expect(types).toEqual(['webhook.deleted', 'webhook.rotated', 'webhook.updated', 'webhook.created']);
  expect(await values('audit', 'list', '--resource', id, '--type', 'webhook.created', '-n', '1')).toHaveLength(1);
});
