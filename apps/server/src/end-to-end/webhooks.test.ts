import { noAccessLimits } from '@modelwire/ports';
import { expect, onTestFinished, test } from 'vitest';
import type { Config } from '../config/schema.ts';
import { createBatch, inputLine } from '../testing/batch-input.ts';
import { startFailingUpstream } from '../testing/failing-upstream.ts';
import { clientOf, startTestServer } from '../testing/test-server.ts';
import { startWebhookReceiver } from '../testing/webhook-receiver.ts';
import type { ReceivedEvent, WebhookReceiver } from '../testing/webhook-receiver.ts';

interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly secret: string;
}

interface Delivery {
  readonly id: string;
  readonly attempts: readonly { readonly created_at: number }[];
  readonly next_attempt_at: number | null;
}

interface Reply<Body> {
  readonly status: number;
  readonly body: Body;
}

interface ListOf<Item> {
  readonly data: readonly Item[];
}

async function serve(config: Config = {}) {
  const receiver = await startWebhookReceiver();
  const server = await startTestServer({ webhookTrustedHosts: [receiver.host], ...config });
  onTestFinished(() => server.stop());
  const admin = await server.makeKey({ role: 'admin', project: 'operators' });
  async function call<Body>(method: string, path: string, body?: unknown, key = admin): Promise<Reply<Body>> {
    const response = await fetch(`${server.url}/v1/organization/${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Body };
  }
  const create = async (init: object = {}) =>
    (await call<Webhook>('POST', 'webhooks', { url: receiver.url, ...init })).body;
  const deliveriesOf = async ({ id }: Pick<Webhook, 'id'>) =>
    (await call<ListOf<Delivery>>('GET', `webhooks/${id}/deliveries`)).body.data;
  /** A background response, which publishes an event. */
  async function publish(project = 'default'): Promise<string> {
    const client = clientOf(server.url, await server.makeKey({ project }));
    return (await client.responses.create({ model: 'simulator', input: 'Hi', background: true })).id;
  }
  return { server, receiver, call, create, deliveriesOf, publish };
}

function first({ received: [event] }: WebhookReceiver): ReceivedEvent {
  if (!event) throw new Error('nothing was received');
  return event;
}

const typesOf = ({ received }: WebhookReceiver) => received.map(({ event }) => event.type);

test('the official SDK verifies an event with the secret, and nothing that was changed', async () => {
  const { server, receiver, create, deliveriesOf } = await serve();
  const webhook = await create({ event_types: ['batch.completed'] });
  expect(webhook.secret).toMatch(/^whsec_[\w+/]{43}=$/);
  const batch = await createBatch(server.client, [inputLine('a')]);
  await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(1);
  const { headers, body } = first(receiver);
  const { webhooks } = server.client;
  const event = await webhooks.unwrap(body, headers, webhook.secret);
  expect(event).toEqual({
    id: headers['webhook-id'],
    object: 'event',
    created_at: expect.any(Number) as unknown,
    type: 'batch.completed',
    data: { id: batch.id },
  });
  await expect(webhooks.unwrap(body.replace('completed', 'failed'), headers, webhook.secret)).rejects.toThrow();
  await expect(webhooks.unwrap(body, headers, 'whsec_b3RoZXI=')).rejects.toThrow();
  await expect
    .poll(() => deliveriesOf(webhook))
    .toMatchObject([
      {
        id: `${event.id}.${webhook.id}`,
        event_id: event.id,
        status: 'succeeded',
        attempts: [{ response_status: 200, error: null, duration_ms: expect.any(Number) as unknown }],
        next_attempt_at: null,
        payload: event,
      },
    ]);
});

test('a webhook of a project receives the events of that project only', async () => {
  const { server, receiver, create, publish } = await serve();
  await server.stores.keys.addProject({
    id: 'shop',
    name: 'shop',
    created: 1,
    archived: null,
    ...noAccessLimits,
    storageLimitBytes: null,
  });
  await create({ project_id: 'shop' });
  await publish();
  const ownEvent = await publish('shop');
  await expect
    .poll(() => receiver.received.map(({ event }) => event))
    .toMatchObject([{ type: 'response.completed', data: { id: ownEvent } }]);
});

test('a failed delivery is retried, fails after the last attempt, and can be sent again', async () => {
  const { receiver, call, create, deliveriesOf, publish } = await serve({ webhookRetryDelaysSeconds: [0, 0] });
  const webhook = await create();
  receiver.answer(302, { location: receiver.url });
  await publish();
  await expect
    .poll(() => deliveriesOf(webhook), { timeout: 20_000 })
    .toMatchObject([
      {
        status: 'failed',
        next_attempt_at: null,
        attempts: Array.from({ length: 3 }, () => ({ response_status: 302, error: 'status 302' })),
      },
    ]);
  expect(receiver.received).toHaveLength(3);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  receiver.answer(204);
  const [{ id } = { id: '' }] = await deliveriesOf(webhook);
  const again = await call<Delivery>('POST', `webhooks/${webhook.id}/deliveries/${id}/redeliver`);
  expect(again).toMatchObject({ status: 200, body: { id, status: 'pending' } });
  await expect.poll(() => deliveriesOf(webhook)).toMatchObject([{ status: 'succeeded', attempts: { length: 4 } }]);
});

test('waits between attempts, and shows the time of the next one', async () => {
  const { receiver, create, deliveriesOf, publish } = await serve();
  const webhook = await create();
  receiver.answer(503);
  await publish();
  await expect.poll(() => deliveriesOf(webhook)).toMatchObject([{ status: 'pending', attempts: { length: 1 } }]);
  const [delivery] = await deliveriesOf(webhook);
  const waits = (delivery?.next_attempt_at ?? 0) - (delivery?.attempts[0]?.created_at ?? 0);
  expect(waits).toBeGreaterThanOrEqual(4);
  expect(waits).toBeLessThanOrEqual(8);
});

test('events are not sent to an address that is not public unless its host is trusted', async () => {
  const { server, call, create, deliveriesOf, publish } = await serve({ webhookRetryDelaysSeconds: [] });
  for (const url of ['http://127.0.0.1:9/x', 'ftp://a.example', 'https://a:b@a.example/', 'nowhere']) {
    expect(await call('POST', 'webhooks', { url })).toMatchObject({
      status: 400,
      body: { error: { param: 'url', code: 'invalid_value' } },
    });
  }
  const webhook = await create();
  // As after a change of `webhookTrustedHosts`: the address is also checked at each attempt.
  await server.stores.webhooks.update(webhook.id, { url: 'http://127.0.0.1/' });
  await publish();
  await expect
    .poll(() => deliveriesOf(webhook))
    .toMatchObject([
      { status: 'failed', attempts: [{ response_status: null, error: 'an address of its host is not public' }] },
    ]);
});

test('deliveries are signed with both secrets while a rotation has its grace period', async () => {
  const { server, receiver, call, create, publish } = await serve();
  const { id, secret } = await create();
  const rotated = await call<Webhook>('POST', `webhooks/${id}/rotate_secret`, { grace_seconds: 3600 });
  await publish();
  await expect.poll(() => receiver.received.length).toBe(1);
  const { headers, body } = first(receiver);
  for (const one of [secret, rotated.body.secret]) await server.client.webhooks.unwrap(body, headers, one);
  expect(await call('POST', `webhooks/${id}/rotate_secret`, { grace_seconds: 60 })).toMatchObject({
    status: 409,
    body: { error: { code: 'rotation_in_progress', param: 'grace_seconds' } },
  });
  await call('POST', `webhooks/${id}/rotate_secret`, {});
  await publish();
  await expect.poll(() => receiver.received.length).toBe(2);
  const last = receiver.received[1];
  await expect(server.client.webhooks.unwrap(last?.body ?? '', last?.headers, secret)).rejects.toThrow();
});

test('a disabled webhook receives nothing, and its pending deliveries are canceled', async () => {
  const { receiver, call, create, deliveriesOf, publish } = await serve({ webhookRetryDelaysSeconds: [1, 1, 1, 1] });
  const webhook = await create();
  receiver.answer(500);
  await publish();
  await expect.poll(() => receiver.received.length).toBe(1);
  expect((await call('POST', `webhooks/${webhook.id}`, { enabled: false })).body).toMatchObject({ enabled: false });
  await expect.poll(() => deliveriesOf(webhook), { timeout: 20_000 }).toMatchObject([{ status: 'canceled' }]);
  await publish();
  expect(await deliveriesOf(webhook)).toHaveLength(1);
});

test('webhooks are administered with an admin key; the audit log names each change, without the secret', async () => {
  const { server, call, create } = await serve();
  const full = await server.makeKey({ project: 'default' });
  expect(await call('GET', 'webhooks', undefined, full)).toMatchObject({ status: 403 });
  const webhook = await create({ name: 'Alerts' });
  const { secret, ...shown } = webhook;
  expect((await call<ListOf<object>>('GET', 'webhooks')).body.data).toEqual([shown]);
  expect((await call('GET', `webhooks/${webhook.id}`)).body).toEqual(shown);
  await call('POST', `webhooks/${webhook.id}`, { name: 'Other', event_types: ['video.failed'] });
  await call('POST', `webhooks/${webhook.id}/rotate_secret`, {});
  expect(await call('DELETE', `webhooks/${webhook.id}`)).toMatchObject({ status: 200, body: { deleted: true } });
  expect(await call('GET', `webhooks/${webhook.id}/deliveries`)).toMatchObject({ status: 404 });
  expect(await call('POST', 'webhooks', { url: webhook.url, project_id: 'none' })).toMatchObject({ status: 404 });
  const log = await call<ListOf<{ type: string }>>('GET', `audit_logs?resource_ids[]=${webhook.id}`);
  expect(log.body.data.map(({ type }) => type)).toEqual(
    ['created', 'updated', 'rotated', 'deleted'].map((what) => `webhook.${what}`).toReversed(),
  );
  expect(JSON.stringify(log.body)).not.toContain(secret);
});

test.each(['http://10.0.0.1/', 'http://[::1]/', 'http://169.254.169.254/', 'http://localhost/'])(
  'the URL %s is refused, and the error names the setting that allows it',
  async (url) => {
    const { call, create } = await serve();
    const refused = {
      status: 400,
      body: { error: { param: 'url', message: expect.stringContaining('webhookTrustedHosts') as string } },
    };
    expect(await call('POST', 'webhooks', { url })).toMatchObject(refused);
    const webhook = await create();
    expect(await call('POST', `webhooks/${webhook.id}`, { url })).toMatchObject(refused);
  },
);

test('events of the server are refused in the webhook of a project', async () => {
  const { call, create } = await serve();
  const refused = {
    status: 400,
    body: { error: { param: 'event_types[1]', message: expect.stringContaining("'project_id'") as string } },
  };
  const url = 'https://hooks.example.com/';
  const event_types = ['batch.completed', 'upstream.down'];
  expect(await call('POST', 'webhooks', { url, project_id: 'default', event_types })).toMatchObject(refused);
  const webhook = await create({ project_id: 'default', event_types: ['batch.completed'] });
  expect(await call('POST', `webhooks/${webhook.id}`, { event_types })).toMatchObject(refused);
  expect(await call('POST', `webhooks/${webhook.id}`, { event_types: null })).toMatchObject({ status: 200 });
  expect(await call('POST', 'webhooks', { url, event_types })).toMatchObject({ status: 200 });
});

test('a budget sends one event when its soft limit is reached, and one for its hard limit', async () => {
  const { server, receiver, call, create } = await serve();
  const project = 'budgeted';
  const key = await server.makeKey({ project });
  const init = { project_id: project, unit: 'tokens', period: 'day', soft_limit: 10, hard_limit: 50 };
  const budget = await call<{ id: string }>('POST', 'budgets', init);
  await create({ event_types: ['budget.soft_limit_reached', 'budget.hard_limit_reached'] });
  const ask = () =>
    clientOf(server.url, key).chat.completions.create({
      model: 'simulator',
      messages: [{ role: 'user', content: 'Hi' }],
      max_completion_tokens: 5,
    });
  await expect(
    (async () => {
      for (;;) await ask();
    })(),
  ).rejects.toMatchObject({ code: 'insufficient_quota' });
  await expect(ask()).rejects.toMatchObject({ code: 'insufficient_quota' });
  await expect
    .poll(() => typesOf(receiver).toSorted())
    .toEqual(['budget.hard_limit_reached', 'budget.soft_limit_reached']);
  const hard = receiver.received.find(({ event }) => event.type === 'budget.hard_limit_reached');
  expect(hard?.event.data).toMatchObject({ id: budget.body.id, project_id: project, limit: 50, unit: 'tokens' });
});

test('sends one event when an upstream is down, and one when it is up again', async () => {
  const upstream = await startFailingUpstream();
  const { server, receiver, create } = await serve({
    upstreams: [{ name: 'gpu', baseURL: upstream.baseURL }],
    models: { m: {} },
    circuitBreaker: { failures: 1, cooldownMs: 50 },
  });
  await create({ event_types: ['upstream.down', 'upstream.up'] });
  const ask = () =>
    server.client.chat.completions.create({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] }).then(
      () => 'answered',
      () => 'failed',
    );
  upstream.isDown = true;
  expect(await ask()).toBe('failed');
  await expect
    .poll(() => receiver.received.map(({ event }) => event))
    .toMatchObject([{ type: 'upstream.down', data: { id: 'gpu', model: 'm', error: 'status 503' } }]);
  upstream.isDown = false;
  await expect.poll(ask).toBe('answered');
  await expect.poll(() => typesOf(receiver)).toEqual(['upstream.down', 'upstream.up']);
});
