import { collect } from '@modelwire/core/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer } from '../test/test-server.ts';
import type { TestServer } from '../test/test-server.ts';
import { createOrganization, Modelwire, NotFoundError, PermissionError } from './index.ts';
import type { OrganizationClient } from './index.ts';

let server: TestServer;
let client: Modelwire;
let organization: OrganizationClient;
beforeAll(async () => {
  server = await startTestServer();
  client = new Modelwire({ baseURL: server.baseURL, apiKey: server.adminKey, maxRetries: 0, validate: 'throw' });
  ({ organization } = client);
});
afterAll(() => server.close());

describe('organization', () => {
  test('creates, changes, lists and archives projects', async () => {
    const { projects } = organization;
    await projects.create({ id: 'shop', name: 'Shop', tokens_per_minute: 1000 });
    await projects.create({ id: 'blog', name: 'Blog' });
    expect(await projects.update('shop', { tokens_per_minute: null, max_output_tokens: 50 })).toMatchObject({
      tokens_per_minute: null,
      max_output_tokens: 50,
    });
    expect((await collect(projects.list({ limit: 1 }))).map(({ id }) => id)).toEqual(['blog', 'default', 'shop']);
    expect(await projects.archive('blog')).toMatchObject({ status: 'archived' });
    expect((await projects.list()).data.map(({ id }) => id)).toEqual(['default', 'shop']);
    expect((await projects.list({ include_archived: 'true' })).data).toHaveLength(3);
    expect(await projects.retrieve('shop')).toMatchObject({ storage_used_bytes: 0 });
    await expect(projects.retrieve('none')).rejects.toThrow(NotFoundError);
  });

  test('creates, changes, rotates and revokes API keys', async () => {
    const { apiKeys } = organization.projects;
    const path = { project_id: 'default' };
    const { id, value } = await apiKeys.create('default', { name: 'checkout', role: 'inference_only' });
    const keyClient = client.withOptions({ apiKey: value });
    expect((await keyClient.models.list()).data).not.toEqual([]);
    await expect(keyClient.organization.projects.list()).rejects.toThrow(PermissionError);
    expect(await apiKeys.update(id, { ...path, requests_per_minute: 9 })).toMatchObject({ requests_per_minute: 9 });
    const rotated = await apiKeys.rotate(id, { ...path, grace_seconds: 60 });
    expect(rotated).toMatchObject({ id, name: 'checkout' });
    expect(rotated.value).not.toBe(value);
    expect(await apiKeys.delete(id, path)).toMatchObject({ id, deleted: true });
    expect((await apiKeys.retrieve(id, path)).revoked_at).toBeTypeOf('number');
    expect((await collect(apiKeys.list('default', { limit: 1 }))).map((key) => key.id)).toContain(id);
  });

  test('creates, changes, resets and deletes budgets', async () => {
    const { budgets } = organization;
    const { id } = await budgets.create({ project_id: 'default', unit: 'tokens', period: 'day', hard_limit: 100 });
    expect(await budgets.update(id, { soft_limit: 50, override_limit: 200 })).toMatchObject({
      soft_limit: 50,
      hard_limit: 100,
      override_limit: 200,
    });
    expect(await budgets.reset(id)).toMatchObject({ spent: 0 });
    expect((await collect(budgets.list({ project_ids: ['default'] }))).map((budget) => budget.id)).toEqual([id]);
    expect((await budgets.list({ project_ids: ['shop'] })).data).toEqual([]);
    expect(await budgets.retrieve(id)).toMatchObject({ id, unit: 'tokens' });
    expect(await budgets.delete(id)).toMatchObject({ id, deleted: true });
  });

  test('lists the audit log by type and by page', async () => {
    const { projects, auditLogs } = organization;
    await projects.create({ id: 'forum', name: 'Forum' });
    await projects.update('forum', { name: 'Fora' });
    await projects.archive('forum');
    const entries = await collect(auditLogs.list({ limit: 1, project_ids: ['forum'] }));
    expect(entries.map(({ type }) => type)).toEqual(['project.archived', 'project.updated', 'project.created']);
    const { data } = await auditLogs.list({ project_ids: ['forum'], event_types: ['project.updated'] });
    expect(data).toMatchObject([{ resource_id: 'forum', changes: { name: 'Fora' }, actor: { type: 'api_key' } }]);
  });

  test('creates, changes, rotates and deletes webhooks, and reads and repeats their deliveries', async () => {
    const { webhooks } = organization;
    const created = await webhooks.create({ url: 'https://hooks.example.com/events', event_types: ['batch.failed'] });
    expect(created.secret).toMatch(/^whsec_/);
    expect(await webhooks.retrieve(created.id)).not.toHaveProperty('secret');
    expect(await webhooks.update(created.id, { name: 'Alerts' })).toMatchObject({ name: 'Alerts', enabled: true });
    expect((await webhooks.rotateSecret(created.id, { grace_seconds: 60 })).secret).not.toBe(created.secret);
    expect((await collect(webhooks.list({ limit: 1 }))).map(({ id }) => id)).toContain(created.id);
    const file = await client.files.create({ file: new File(['{}\n'], 'invalid.jsonl'), purpose: 'batch' });
    await client.batches.create({
      input_file_id: file.id,
      endpoint: '/v1/chat/completions',
      completion_window: '24h',
    });
    await expect.poll(async () => (await webhooks.deliveries.list(created.id)).data.length).toBe(1);
    const [delivery] = await collect(webhooks.deliveries.list(created.id, { limit: 1 }));
    const path = { webhook_id: created.id };
    const id = delivery?.id ?? '';
    expect(await webhooks.deliveries.retrieve(id, path)).toMatchObject({ id, event_type: 'batch.failed' });
    expect(await webhooks.deliveries.redeliver(id, path)).toMatchObject({ id, status: 'pending' });
    expect(await webhooks.delete(created.id)).toMatchObject({ id: created.id, deleted: true });
    await expect(webhooks.retrieve(created.id)).rejects.toThrow(NotFoundError);
  });

  test('reports usage and costs by day, and its pages', async () => {
    await client.chat.completions.create({ model: 'simulator', messages: [{ role: 'user', content: 'Hello' }] });
    const start_time = Math.floor(Date.now() / 1000) - 86_400;
    const first = await organization.usage.completions({ start_time, limit: 1, group_by: ['model'] });
    expect(first).toMatchObject({ has_more: true });
    const { data } = await organization.usage.completions({
      start_time,
      limit: 1,
      group_by: ['model'],
      page: first.next_page ?? '',
    });
    expect(data).toMatchObject([{ results: [{ model: 'simulator', num_model_requests: 1 }] }]);
    const { data: days } = await organization.usage.costs({ start_time });
    expect(days).toHaveLength(2);
  });
});

test('createOrganization() accepts a transport', async () => {
  const { projects } = createOrganization(client.transport);
  expect(await projects.retrieve('default')).toMatchObject({ status: 'active' });
});
