import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { clientOf, startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';

let server: TestServer;
let admin: string;
beforeAll(async () => {
  server = await startTestServer({
    prices: { models: { simulator: { input: 1, output: 2 } } },
    simulator: { models: [{ id: 'simulator' }, { id: 'slow', reply: 'word '.repeat(500) }], tokensPerSecond: 200 },
    requestLogRetentionDays: 7,
  });
  admin = await server.makeKey({ role: 'admin', project: 'operators' });
});
afterAll(() => server.stop());

interface Project {
  readonly id: string;
  readonly status: string;
  readonly storage_used_bytes?: number;
}

interface ApiKey {
  readonly id: string;
  readonly last_used_at: number | null;
  readonly revoked_at: number | null;
}

interface ApiKeyWithValue extends ApiKey {
  readonly value: string;
}

interface Budget {
  readonly id: string;
  readonly spent: number;
  readonly period_start: number;
  readonly resets_at: number;
}

interface AuditLogList {
  readonly data: readonly { readonly type: string; readonly resource_id: string }[];
}

interface LoggedRequestList {
  readonly data: readonly { readonly id: string; readonly endpoint: string }[];
  readonly has_more: boolean;
  readonly last_id: string;
}

interface CostsPage {
  readonly data: readonly { readonly results: readonly unknown[] }[];
}

interface Answer<Body> {
  readonly status: number;
  readonly body: Body & {
    readonly error?: { readonly code: string; readonly param: string | null; readonly message: string };
  };
}

async function call<Body>(method: string, path: string, body?: unknown, key = admin): Promise<Answer<Body>> {
  const response = await fetch(`${server.url}/v1/organization/${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Answer<Body>['body'] };
}

const chat = (key: string) =>
  clientOf(server.url, key).chat.completions.create({
    model: 'simulator',
    messages: [{ role: 'user', content: 'Hi' }],
  });

describe('projects', () => {
  test('are created, listed, changed and archived', async () => {
    const created = await call<Project>('POST', 'projects', { id: 'shop', name: 'Shop', tokens_per_minute: 1000 });
    expect(created).toMatchObject({
      status: 200,
      body: { id: 'shop', name: 'Shop', status: 'active', tokens_per_minute: 1000, requests_per_minute: null },
    });
    expect((await call('POST', 'projects', { id: 'shop', name: 'Again' })).body.error).toMatchObject({
      code: 'already_exists',
      param: 'id',
    });
    const listed = await call<{ data: Project[] }>('GET', 'projects');
    expect(listed.body.data.map(({ id }) => id)).toEqual(['default', 'operators', 'shop']);
    const updated = await call<Project>('POST', 'projects/shop', { name: 'The shop', tokens_per_minute: null });
    expect(updated.body).toMatchObject({ name: 'The shop', tokens_per_minute: null });
    expect((await call<Project>('GET', 'projects/shop')).body.storage_used_bytes).toBe(0);
    const { body: key } = await call<ApiKeyWithValue>('POST', 'projects/shop/api_keys', {});
    expect((await call<Project>('POST', 'projects/shop/archive')).body.status).toBe('archived');
    await expect(chat(key.value)).rejects.toMatchObject({ status: 401 });
    expect((await call('POST', 'projects/shop/api_keys', {})).body.error?.code).toBe('invalid_state');
    const after = await call<{ data: Project[] }>('GET', 'projects');
    expect(after.body.data.map(({ id }) => id)).not.toContain('shop');
    const all = await call<{ data: Project[] }>('GET', 'projects?include_archived=true&limit=1&after=operators');
    expect(all.body.data.map(({ id }) => id)).toEqual(['shop']);
  });

  test.each(['.', '..', '', '../x', 'a/b'])(
    'with the ID %j are refused, and the error names what is allowed',
    async (id) => {
      const { status, body } = await call('POST', 'projects', { id, name: 'Dots' });
      expect(status).toBe(400);
      expect(body.error?.param).toBe('id');
      expect(body.error?.message).toContain(
        "1 to 64 letters, digits, underscores, dashes and dots, other than '.' and '..'",
      );
    },
  );

  test.each(['...', '.a', 'a..', '-'])('may have the ID %j', async (id) => {
    expect((await call('POST', 'projects', { id, name: 'Dots' })).status).toBe(200);
    expect(await call<Project>('POST', `projects/${id}/archive`)).toMatchObject({ status: 200, body: { id } });
  });

  test('of the key that is used cannot be archived', async () => {
    expect((await call('POST', 'projects/operators/archive')).body.error?.code).toBe('invalid_state');
  });

  test('that do not exist are a 404', async () => {
    expect(await call('GET', 'projects/none')).toMatchObject({ status: 404, body: { error: { param: 'project_id' } } });
    expect((await call('GET', 'projects/none/api_keys')).status).toBe(404);
  });
});

describe('keys', () => {
  test('can be used as soon as they are created; their secret is shown once', async () => {
    const created = await call<ApiKeyWithValue>('POST', 'projects/default/api_keys', {
      name: 'till',
      role: 'inference_only',
    });
    const { value, ...shown } = created.body;
    expect(shown).toMatchObject({ project_id: 'default', role: 'inference_only', last_used_at: null });
    expect((await chat(value)).choices).toHaveLength(1);
    const path = `projects/default/api_keys/${shown.id}`;
    const retrieved = await call<ApiKey>('GET', path);
    expect(retrieved.body.last_used_at).toBeGreaterThan(1_700_000_000);
    expect(JSON.stringify(retrieved.body)).not.toContain(value.slice(8));
    const listed = await call<{ data: ApiKey[] }>('GET', 'projects/default/api_keys');
    expect(listed.body.data.map(({ id }) => id)).toContain(shown.id);
    expect((await call('GET', `projects/operators/api_keys/${shown.id}`)).status).toBe(404);
  });

  test('that are changed or revoked take effect immediately', async () => {
    const { body: key } = await call<ApiKeyWithValue>('POST', 'projects/default/api_keys', {});
    const path = `projects/default/api_keys/${key.id}`;
    await chat(key.value);
    await call('POST', path, { role: 'read_only', name: 'reader' });
    await expect(chat(key.value)).rejects.toMatchObject({ status: 403 });
    expect((await call<ApiKey>('GET', path)).body).toMatchObject({ role: 'read_only', name: 'reader' });
    expect(await call('DELETE', path)).toMatchObject({ status: 200, body: { deleted: true, id: key.id } });
    await expect(chat(key.value)).rejects.toMatchObject({ status: 401 });
    expect((await call<ApiKey>('GET', path)).body.revoked_at).not.toBeNull();
    expect((await call('POST', path, { name: 'x' })).body.error?.code).toBe('invalid_state');
  });

  test('cannot be created for, or changed to, a time in the past', async () => {
    const past = { expires_at: 1_700_000_000 };
    const refused = { status: 400, body: { error: { param: 'expires_at', code: 'invalid_value' } } };
    expect(await call('POST', 'projects/default/api_keys', past)).toMatchObject(refused);
    const { body: key } = await call<ApiKeyWithValue>('POST', 'projects/default/api_keys', { expires_at: null });
    expect(await call('POST', `projects/default/api_keys/${key.id}`, past)).toMatchObject(refused);
    await chat(key.value);
  });

  test('that may only run models read the jobs that they start, by their IDs', async () => {
    const client = clientOf(server.url, await server.makeKey({ role: 'inference_only' }));
    const response = await client.responses.create({ model: 'simulator', input: 'Hello', background: true });
    expect((await client.responses.retrieve(response.id)).id).toBe(response.id);
    const { id } = await client.videos.create({ model: 'storyboard', prompt: 'A lighthouse', seconds: '4' });
    await vi.waitFor(async () => expect((await client.videos.retrieve(id)).status).toBe('completed'), 30_000);
    expect((await client.videos.downloadContent(id)).status).toBe(200);
    await expect(client.videos.list()).rejects.toMatchObject({ status: 403 });
    await expect(client.videos.delete(id)).rejects.toMatchObject({ status: 403 });
    await expect(client.responses.cancel(response.id)).rejects.toMatchObject({ status: 403 });
  });

  test('that are rotated have a new secret; the previous one is valid for the grace period', async () => {
    const { body: key } = await call<ApiKeyWithValue>('POST', 'projects/default/api_keys', {});
    const path = `projects/default/api_keys/${key.id}/rotate`;
    const { body: second } = await call<ApiKeyWithValue>('POST', path, { grace_seconds: 3600 });
    expect(second.id).toBe(key.id);
    await chat(key.value);
    await chat(second.value);
    expect(await call('POST', path, { grace_seconds: 60 })).toMatchObject({
      status: 409,
      body: { error: { code: 'rotation_in_progress', param: 'grace_seconds' } },
    });
    await chat(key.value);
    const { body: third } = await call<ApiKeyWithValue>('POST', path, {});
    await chat(third.value);
    await expect(chat(second.value)).rejects.toMatchObject({ status: 401 });
    await expect(chat(key.value)).rejects.toMatchObject({ status: 401 });
  });

  test('that are expired or revoked are not rotated', async () => {
    const { body: key } = await call<ApiKeyWithValue>('POST', 'projects/default/api_keys', {});
    const path = `projects/default/api_keys/${key.id}`;
    await server.stores.keys.update(key.id, { expires: 1_700_000_000 });
    const refused = { status: 400, body: { error: { code: 'invalid_state' } } };
    expect(await call('POST', `${path}/rotate`, {})).toMatchObject(refused);
    await call('POST', path, { expires_at: null });
    expect((await call('POST', `${path}/rotate`, {})).status).toBe(200);
    await call('DELETE', path);
    expect(await call('POST', `${path}/rotate`, {})).toMatchObject(refused);
  });

  test('without the role admin cannot administer anything', async () => {
    const key = await server.makeKey({ role: 'full' });
    for (const path of ['projects', 'budgets', 'audit_logs', 'costs?start_time=0']) {
      expect((await call('GET', path, undefined, key)).status, path).toBe(403);
    }
  });
});

describe('budgets', () => {
  test('are created, listed, changed, reset and deleted', async () => {
    const params = { project_id: 'default', unit: 'tokens', period: 'day', soft_limit: 10, hard_limit: 1_000_000 };
    const { body: budget } = await call<Budget>('POST', 'budgets', params);
    expect(budget).toMatchObject({ ...params, api_key_id: null, spent: 0, reserved: 0, override_limit: null });
    expect(budget.resets_at - budget.period_start).toBe(86_400);
    const path = `budgets/${budget.id}`;
    expect((await call<Budget>('POST', path, { override_limit: 5, soft_limit: null })).body).toMatchObject({
      override_limit: 5,
      soft_limit: null,
      hard_limit: 1_000_000,
    });
    expect((await call<Budget>('POST', `${path}/reset`)).body.spent).toBe(0);
    expect((await call<{ data: Budget[] }>('GET', 'budgets?project_ids=default')).body.data).toHaveLength(1);
    expect((await call<{ data: Budget[] }>('GET', 'budgets?api_key_ids=none')).body.data).toEqual([]);
    expect((await call<Budget>('GET', path)).body.id).toBe(budget.id);
    expect((await call('DELETE', path)).body).toMatchObject({ deleted: true });
    expect((await call('GET', path)).status).toBe(404);
  });

  test.each([
    ['{"soft_limit":5}', 'application/json', 400, 'unknown_parameter'],
    ['garbage', 'application/json', 400, 'invalid_json'],
    ['[]', 'application/json', 400, 'invalid_type'],
    ['garbage', 'text/plain', 415, 'unsupported_content_type'],
    ['{}', 'application/json', 200, undefined],
    ['', 'application/json', 200, undefined],
    ['', undefined, 200, undefined],
  ])('are reset by a request without fields: the body %j as %s is a %i', async (text, type, status, code) => {
    const params = { project_id: 'default', unit: 'tokens', period: 'day', hard_limit: 1_000_000 };
    const { body: budget } = await call<Budget>('POST', 'budgets', params);
    const response = await fetch(`${server.url}/v1/organization/budgets/${budget.id}/reset`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin}`, ...(type !== undefined && { 'content-type': type }) },
      body: new TextEncoder().encode(text),
    });
    const { error } = (await response.json()) as { error?: { code: string } };
    expect([response.status, error?.code]).toEqual([status, code]);
    await call('DELETE', `budgets/${budget.id}`);
  });

  test('refuse a soft limit above the hard limit, and name both', async () => {
    const params = { project_id: 'default', unit: 'tokens', period: 'day' };
    const created = await call<object>('POST', 'budgets', { ...params, soft_limit: 801, hard_limit: 800 });
    expect(created).toMatchObject({ status: 400, body: { error: { param: 'soft_limit', code: 'invalid_value' } } });
    expect(created.body.error?.message).toMatch(/801 is above 'hard_limit', which is 800/);

    const { body: budget } = await call<Budget>('POST', 'budgets', { ...params, soft_limit: 800, hard_limit: 800 });
    const path = `budgets/${budget.id}`;
    const soft = await call<object>('POST', path, { soft_limit: 900 });
    expect(soft).toMatchObject({ status: 400, body: { error: { param: 'soft_limit' } } });
    expect(soft.body.error?.message).toMatch(/900 is above 'hard_limit', which is 800/);
    const hard = await call<object>('POST', path, { hard_limit: 700 });
    expect(hard).toMatchObject({ status: 400, body: { error: { param: 'hard_limit' } } });
    expect(hard.body.error?.message).toMatch(/700 is below 'soft_limit', which is 800/);

    expect(await call<Budget>('POST', path, { soft_limit: 900, hard_limit: 1000 })).toMatchObject({ status: 200 });
    expect(await call<Budget>('POST', path, { soft_limit: 2000, hard_limit: null })).toMatchObject({ status: 200 });
    expect(await call<Budget>('POST', path, { override_limit: 5 })).toMatchObject({ status: 200 });
    expect((await call<Budget>('GET', path)).body).toMatchObject({ soft_limit: 2000, hard_limit: null });
    expect((await call('DELETE', path)).status).toBe(200);
  });

  interface Limits {
    readonly soft_limit: number | null;
    readonly hard_limit: number | null;
  }

  test('refuse concurrent changes of both limits whose result would be a soft limit above the hard limit', async () => {
    const params = { project_id: 'default', unit: 'tokens', period: 'day', hard_limit: 1000 };
    const { body: budget } = await call<Budget>('POST', 'budgets', params);
    const path = `budgets/${budget.id}`;
    const changes = Array.from({ length: 20 }, (_, index) => (index % 2 ? { soft_limit: 900 } : { hard_limit: 100 }));
    const outcomes = await Promise.all(changes.map((change) => call<object>('POST', path, change)));
    const refused = outcomes.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(10);
    for (const { status, body } of refused) {
      expect(status).toBe(400);
      expect(body.error?.message).toMatch(
        /900 is above 'hard_limit', which is 100|100 is below 'soft_limit', which is 900/,
      );
    }
    const { body: changed } = await call<Limits>('GET', path);
    expect([
      [900, 1000],
      [null, 100],
    ]).toContainEqual([changed.soft_limit, changed.hard_limit]);
    expect((await call('DELETE', path)).status).toBe(200);
  });

  test.each([
    [{ unit: 'tokens', period: 'day', hard_limit: 1 }, 400, 'project_id'],
    [{ project_id: 'default', api_key_id: 'k', unit: 'tokens', period: 'day', hard_limit: 1 }, 400, 'project_id'],
    [{ project_id: 'default', unit: 'tokens', period: 'day' }, 400, 'hard_limit'],
    [{ project_id: 'none', unit: 'tokens', period: 'day', hard_limit: 1 }, 404, 'project_id'],
    [{ api_key_id: 'none', unit: 'tokens', period: 'day', hard_limit: 1 }, 404, 'api_key_id'],
  ])('of %j are a %i', async (params, status, param) => {
    expect(await call('POST', 'budgets', params)).toMatchObject({ status, body: { error: { param } } });
  });
});

test('the audit log names who changed what, without secrets', async () => {
  const { body: project } = await call<Project>('POST', 'projects', { name: 'Audited' });
  const { body: key } = await call<ApiKeyWithValue>('POST', `projects/${project.id}/api_keys`, { name: 'a' });
  await call('DELETE', `projects/${project.id}/api_keys/${key.id}`);
  const { body: log } = await call<AuditLogList>('GET', `audit_logs?project_ids=${project.id}`);
  expect(log.data.map(({ type, resource_id: id }) => [type, id])).toEqual([
    ['api_key.deleted', key.id],
    ['api_key.created', key.id],
    ['project.created', project.id],
  ]);
  expect(log.data[1]).toMatchObject({
    actor: { type: 'api_key' },
    project: { id: project.id },
    changes: { name: 'a' },
  });
  expect(JSON.stringify(log)).not.toContain(key.value.slice(8));
  const page = await call<AuditLogList>(
    'GET',
    `audit_logs?limit=1&event_types[]=api_key.created&resource_ids=${key.id}`,
  );
  expect(page.body).toMatchObject({ has_more: false, data: [{ resource_id: key.id }] });
});

test('costs are reported by day and model', async () => {
  const key = await server.makeKey({ project: 'paying' });
  const { usage } = await chat(key);
  const path = 'costs?start_time=0&limit=180&project_ids=paying&group_by=line_item';
  const start = Math.floor(Date.now() / 1000) - 86_400;
  const { body } = await call<CostsPage>('GET', path.replace('start_time=0', `start_time=${start}`));
  const expected = ((usage?.prompt_tokens ?? 0) + 2 * (usage?.completion_tokens ?? 0)) / 1e6;
  expect(body.data.flatMap(({ results }) => results)).toEqual([
    expect.objectContaining({ amount: { value: expected, currency: 'usd' }, line_item: 'simulator' }),
  ]);
});

describe('the request log', () => {
  const logged = async (query: string) =>
    (await call<LoggedRequestList>('GET', `request_logs?project_ids=logged&${query}`)).body;

  test('has the requests that left no stored completion, with their outcome and without their content', async () => {
    const key = await server.makeKey({ project: 'logged' });
    const api = clientOf(server.url, key);
    const messages = [{ role: 'user' as const, content: 'Never logged' }];
    const { usage } = await api.chat.completions.create({ model: 'simulator', messages });
    // The second is a replay.
    for (let count = 0; count < 2; count++)
      await api.chat.completions.create(
        { model: 'simulator', store: true, messages },
        { headers: { 'Idempotency-Key': 'stored' } },
      );
    const limited = await server.makeKey({ project: 'logged', requestsPerMinute: 1 });
    for (let count = 0; count < 3; count++)
      await clientOf(server.url, limited)
        .chat.completions.create({ model: 'simulator', store: true, messages })
        .catch(() => undefined);
    await api.chat.completions.create({ model: 'Never logged', messages }).catch(() => undefined);
    const stream = await api.chat.completions.create({ model: 'slow', stream: true, messages });
    await stream[Symbol.asyncIterator]().next();
    stream.controller.abort();
    const response = await api.responses.create({ model: 'simulator', input: 'Never logged' });
    await expect.poll(async () => (await logged('order=asc')).data.length).toBe(4);
    const { data } = await logged('');
    const rows = data.toSorted((a, b) => a.endpoint.localeCompare(b.endpoint));
    expect(JSON.stringify(rows)).not.toContain('Never logged');
    const cost = ((usage?.prompt_tokens ?? 0) + 2 * (usage?.completion_tokens ?? 0)) / 1e6;
    const tokens = { input_tokens: usage?.prompt_tokens, output_tokens: usage?.completion_tokens };
    const answered = {
      ...{ endpoint: '/v1/chat/completions', model: 'simulator', outcome: 'succeeded', status: 200, stream: false },
      ...{ usage: { ...tokens, input_cached_tokens: 0 }, cost: { value: cost, currency: 'usd' }, response_id: null },
    };
    expect(rows.map(({ endpoint }) => endpoint)).toEqual([
      ...Array.from({ length: 3 }, () => '/v1/chat/completions'),
      '/v1/responses',
    ]);
    expect(rows).toContainEqual(expect.objectContaining(answered));
    expect(rows.at(-1)).toMatchObject({ response_id: response.id, outcome: 'succeeded', project_id: 'logged' });
    const failed = { outcome: 'failed', status: 404, error_code: 'model_not_found', model: null, usage: null };
    expect((await logged('outcomes[]=failed')).data).toEqual([expect.objectContaining(failed)]);
    const aborted = { outcome: 'aborted', stream: true, model: 'slow', error_code: null };
    expect((await logged('outcomes[]=aborted')).data).toEqual([expect.objectContaining(aborted)]);
    const [first] = rows;
    expect((await call('GET', `request_logs/${first?.id}`)).body).toEqual(first);
  });

  test('is read in pages by admins only', async () => {
    const first = await logged('limit=3');
    expect(first).toMatchObject({ has_more: true, data: { length: 3 } });
    expect(await logged(`limit=3&after=${first.last_id}`)).toMatchObject({ has_more: false, data: { length: 1 } });
    expect((await call('GET', 'request_logs?after=req_none')).body.error).toMatchObject({ param: 'after' });
    expect(await call('GET', 'request_logs/req_none')).toMatchObject({ status: 404 });
    const member = await server.makeKey({ project: 'logged' });
    expect(await call('GET', 'request_logs', undefined, member)).toMatchObject({ status: 403 });
  });
});
