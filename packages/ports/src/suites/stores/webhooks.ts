import { describe, expect, test } from 'vitest';
import type { WebhookEvent, WebhookRecord } from '../../webhook-store.ts';
import { webhookAttemptsKept } from '../../webhook-store.ts';
import type { Lease } from '../../job-store.ts';
import { budgetRecord } from './budgets.ts';
import { createRecord } from './create-record.ts';
import { openStores } from './open-stores.ts';
import type { StoresUnderTest } from './open-stores.ts';
import { storedResponse } from './response-records.ts';
import { batchRecord, leaseOf, longLeaseMs, seconds, videoRecord } from './work-records.ts';

let recordCount = 0;

function webhookRecord(init: Partial<WebhookRecord> = {}): WebhookRecord {
  return {
    id: `webhook_suite_${++recordCount}`,
    name: 'Alerts',
    url: 'https://hooks.example.com/modelwire',
    project: `hooked ${recordCount}`,
    events: null,
    isEnabled: true,
    secret: 'whsec_c2VjcmV0',
    previousSecret: null,
    previousValidUntil: null,
    created: seconds,
    ...init,
  };
}

function event(init: Partial<WebhookEvent> = {}): WebhookEvent {
  return {
    id: `evt_suite_${++recordCount}`,
    type: 'upstream.down',
    project: null,
    created: seconds,
    data: { id: 'x' },
    ...init,
  };
}

export function describeWebhooks(open: () => Promise<StoresUnderTest>): void {
  describe('webhooks', () => {
    const { stores } = openStores(open);
    const deliveriesOf = async (webhook: string) =>
      (await stores().webhooks.deliveries({ webhook, limit: 100 }))?.items ?? [];
    const typesOf = async ({ id }: WebhookRecord) => (await deliveriesOf(id)).map(({ type }) => type);
    async function addWebhook(init: Partial<WebhookRecord> = {}): Promise<WebhookRecord> {
      const webhook = webhookRecord(init);
      await stores().webhooks.add(webhook);
      return webhook;
    }
    /** The job of the only delivery to the webhook. */
    async function claimDelivery({ id }: WebhookRecord): Promise<Lease> {
      const [delivery] = await deliveriesOf(id);
      return leaseOf(stores(), delivery?.id ?? '');
    }

    test('are changed and deleted, with an entry in the audit log for each change', async () => {
      const { webhooks, audit } = stores();
      const webhook = webhookRecord({ events: ['batch.completed', 'budget.hard_limit_reached'] });
      const entry = (id: string) =>
        ({
          id,
          type: 'webhook.updated',
          at: 1,
          actor: null,
          actorName: null,
          project: null,
          resource: webhook.id,
          changes: {},
        }) as const;
      await webhooks.add(webhook, entry('audit-webhook-1'));
      expect(await webhooks.get(webhook.id)).toEqual(webhook);
      const changes = {
        name: 'Other',
        url: 'https://b.example.com',
        events: null,
        isEnabled: false,
      };
      expect(await webhooks.update(webhook.id, changes, entry('audit-webhook-2'))).toEqual({ ...webhook, ...changes });
      expect(await webhooks.update(webhook.id, {})).toEqual({ ...webhook, ...changes });
      expect((await webhooks.list()).at(-1)).toEqual({ ...webhook, ...changes });
      expect(await webhooks.update('webhook_none', changes, entry('audit-webhook-3'))).toBeUndefined();
      expect(await webhooks.delete(webhook.id, entry('audit-webhook-4'))).toBe(true);
      expect(await webhooks.delete(webhook.id, entry('audit-webhook-5'))).toBe(false);
      expect(await webhooks.get(webhook.id)).toBeUndefined();
      const entries = (await audit.list({ limit: 10, resources: [webhook.id] }))?.items.map(({ id }) => id);
      expect(entries).toEqual(['audit-webhook-4', 'audit-webhook-2', 'audit-webhook-1']);
    });

    test('have a new secret after a rotation, once in a grace period if asked, however many try', async () => {
      const webhook = await addWebhook();
      const rotate = (secret: string, previousValidUntil: number | null, unlessPreviousValidAt?: number) =>
        stores().webhooks.rotate(webhook.id, { secret, previousValidUntil, unlessPreviousValidAt });
      const rotated = await Promise.all(['a', 'b', 'c'].map((secret) => rotate(secret, 2000, 1999)));
      const [current, ...others] = rotated.filter((one) => one !== undefined);
      expect(others).toEqual([]);
      const previous = { previousSecret: webhook.secret, previousValidUntil: 2000 };
      expect(current).toEqual({ ...webhook, secret: current?.secret, ...previous });
      expect(await stores().webhooks.get(webhook.id)).toEqual(current);
      expect(await rotate('d', 3000, 2000)).toMatchObject({ secret: 'd', previousSecret: current?.secret });
      expect(await rotate('e', null)).toMatchObject({ secret: 'e', previousSecret: null, previousValidUntil: null });
      expect(await stores().webhooks.rotate('webhook_none', { secret: 'f', previousValidUntil: null })).toBeUndefined();
    });

    test('receive the events of their project, or of all, that they want while they are enabled', async () => {
      const all = await addWebhook({ project: null });
      const some = await addWebhook({ project: 'p1', events: ['batch.failed', 'batch.completed'] });
      const other = await addWebhook({ project: 'p2' });
      const disabled = await addWebhook({ project: 'p1', isEnabled: false });
      await stores().webhooks.publish(event({ type: 'batch.completed', project: 'p1' }));
      await stores().webhooks.publish(event({ type: 'batch.expired', project: 'p1' }));
      await stores().webhooks.publish(event({ type: 'upstream.down' }));
      expect(await typesOf(all)).toEqual(['upstream.down', 'batch.expired', 'batch.completed']);
      expect(await typesOf(some)).toEqual(['batch.completed']);
      expect(await typesOf(other)).toEqual([]);
      expect(await typesOf(disabled)).toEqual([]);
      for (const { id } of [all, some]) await stores().webhooks.delete(id);
    });

    test('receive an event once, however often it is published', async () => {
      const webhook = await addWebhook();
      const one = event({ project: webhook.project });
      await Promise.all([1, 2, 3].map(() => stores().webhooks.publish(one)));
      const lease = await claimDelivery(webhook);
      expect(lease).toMatchObject({ kind: 'webhook', project: webhook.id, attempt: 1 });
      await stores().webhooks.record(lease, undefined, { status: 'succeeded' });
      await stores().webhooks.publish(one);
      expect(await deliveriesOf(webhook.id)).toEqual([
        {
          id: lease.id,
          webhook: webhook.id,
          event: one.id,
          type: one.type,
          payload: JSON.stringify({
            id: one.id,
            object: 'event',
            created_at: seconds,
            type: one.type,
            data: { id: 'x' },
          }),
          status: 'succeeded',
          attempts: [],
          created: seconds,
          nextAttempt: null,
        },
      ]);
      expect(await stores().jobs.renew(lease, 1)).toBe(false);
    });

    test('record attempts until the delivery ends; a worker that lost its lease records nothing', async () => {
      const webhook = await addWebhook();
      await stores().webhooks.publish(event({ project: webhook.project }));
      const lease = await claimDelivery(webhook);
      const attempt = { at: seconds, durationMs: 12, status: 500, error: 'status 500' };
      const retry = { retryAfterMs: 0, nextAttempt: seconds + 5 };
      expect(await stores().webhooks.record({ ...lease, token: 'lost' }, attempt, retry)).toBe(false);
      expect(await stores().webhooks.record(lease, attempt, retry)).toBe(true);
      expect(await stores().webhooks.delivery(lease.id)).toMatchObject({
        status: 'pending',
        attempts: [attempt],
        nextAttempt: seconds + 5,
      });
      expect(await stores().webhooks.record(lease, attempt, { status: 'failed' })).toBe(false);
      const again = await claimDelivery(webhook);
      expect(again.attempt).toBe(2);
      await stores().webhooks.record(again, { ...attempt, status: null }, { status: 'failed' });
      expect(await stores().webhooks.delivery(lease.id)).toMatchObject({
        status: 'failed',
        attempts: [attempt, { ...attempt, status: null }],
        nextAttempt: null,
      });
    });

    test('keep the last attempts of a delivery', async () => {
      const webhook = await addWebhook();
      await stores().webhooks.publish(event({ project: webhook.project }));
      for (let at = 0; at <= webhookAttemptsKept; at++) {
        const attempt = { at, durationMs: 1, status: null, error: 'ECONNREFUSED' };
        await stores().webhooks.record(await claimDelivery(webhook), attempt, { retryAfterMs: 0, nextAttempt: at });
      }
      const [delivery] = await deliveriesOf(webhook.id);
      expect(delivery?.attempts.map(({ at }) => at)).toEqual(
        Array.from({ length: webhookAttemptsKept }, (_, index) => index + 1),
      );
    });

    test('redeliver deliveries that have ended, and send waiting ones immediately', async () => {
      const { webhooks, jobs } = stores();
      const webhook = await addWebhook();
      await webhooks.publish(event({ project: webhook.project }));
      const first = await claimDelivery(webhook);
      await webhooks.record(first, undefined, { retryAfterMs: longLeaseMs, nextAttempt: 1 });
      expect(await webhooks.redeliver(first.id, seconds)).toBe(true);
      const second = await claimDelivery(webhook);
      await webhooks.record(second, undefined, { status: 'failed' });
      expect(await webhooks.redeliver(first.id, seconds)).toBe(true);
      expect(await webhooks.delivery(first.id)).toMatchObject({ status: 'pending', nextAttempt: seconds });
      const third = await claimDelivery(webhook);
      expect(third.attempt).toBe(1);
      expect(await webhooks.redeliver('none', seconds)).toBe(false);
      expect(await jobs.renew(third, 1)).toBe(true);
    });

    test('are deleted immediately, and their deliveries and jobs in steps', async () => {
      const { webhooks, jobs } = stores();
      const [webhook, other] = [await addWebhook(), await addWebhook()];
      for (const { project } of [webhook, webhook, webhook, other]) await webhooks.publish(event({ project }));
      const lease = await claimDelivery(webhook);
      expect(await webhooks.delete(webhook.id)).toBe(true);
      expect(await webhooks.get(webhook.id)).toBeUndefined();
      expect(await deliveriesOf(webhook.id)).toHaveLength(3);
      for (let before = 3, left = 3; left > 0; before = left) {
        await stores().removeExpired({ completionsBefore: undefined, now: seconds * 1000, limit: 1 });
        left = (await deliveriesOf(webhook.id)).length;
        expect(before - left).toBeLessThanOrEqual(1);
      }
      expect(await jobs.renew(lease, 1)).toBe(false);
      expect(await deliveriesOf(other.id)).toHaveLength(1);
      expect(await claimDelivery(other)).toMatchObject({ project: other.id });
    });

    test('list deliveries in pages, newest first, and by status', async () => {
      const { webhooks } = stores();
      const webhook = await addWebhook();
      const ids: string[] = [];
      for (let count = 0; count < 3; count++) {
        const one = event({ project: webhook.project });
        await webhooks.publish(one);
        ids.unshift(`${one.id}.${webhook.id}`);
      }
      const query = { webhook: webhook.id, limit: 2 };
      expect(await webhooks.deliveries(query)).toMatchObject({
        hasMore: true,
        items: [{ id: ids[0] }, { id: ids[1] }],
      });
      expect(await webhooks.deliveries({ ...query, after: ids[1] })).toMatchObject({
        hasMore: false,
        items: [{ id: ids[2] }],
      });
      expect(await webhooks.deliveries({ ...query, after: 'none' })).toBeUndefined();
      expect((await webhooks.deliveries({ ...query, status: 'failed' }))?.items).toEqual([]);
      expect((await webhooks.deliveries({ ...query, status: 'pending' }))?.items).toHaveLength(2);
      await webhooks.delete(webhook.id);
    });

    test('receive the end of batches, videos and background responses, in the commit that ends them', async () => {
      const webhook = await addWebhook();
      const { batches, videos, responses } = stores().project(webhook.project ?? '');
      const batch = await createRecord(batches, batchRecord());
      const ended = { ...batch.batch, status: 'expired' as const };
      const lease = await leaseOf(stores(), ended.id);
      expect(await batches.end(ended, { version: 7, lease, files: [] })).toBe(false);
      expect(await deliveriesOf(webhook.id)).toEqual([]);
      expect(await batches.end(ended, { version: 1, lease, files: [] })).toBe(true);
      const { video, work } = videoRecord();
      await videos.create({ video, work });
      const failed = { ...video, status: 'failed' as const };
      await videos.end(failed, { lease: await leaseOf(stores(), video.id), contents: {}, dueAfterMs: 1 });
      const [a, b] = ['a', 'b'].map((name) =>
        storedResponse({ id: `resp_hooked_${name}`, status: 'queued', output: [] }),
      );
      if (!a || !b) throw new Error('no responses');
      for (const response of [a, b]) {
        await responses.create({
          response,
          isStreamed: false,
          work: { keyId: 'key_1', request: '{}' },
          input: [],
        });
      }
      const done = { ...a, status: 'incomplete' as const };
      await responses.end(done, { lease: await leaseOf(stores(), a.id) });
      await responses.cancel(b.id);
      const events = (await deliveriesOf(webhook.id)).map(({ payload }) => JSON.parse(payload) as object);
      expect(events).toMatchObject([
        { type: 'response.cancelled', data: { id: b.id } },
        { type: 'response.incomplete', data: { id: a.id } },
        { type: 'video.failed', data: { id: video.id } },
        { type: 'batch.expired', data: { id: ended.id } },
      ]);
      await stores().webhooks.delete(webhook.id);
    });

    test('receive once in a period that a limit of a budget is reached, and again after a reset or with another limit', async () => {
      const { budgets } = stores();
      const webhook = await addWebhook();
      const budget = budgetRecord({ kind: 'project', id: webhook.project ?? '' }, { softLimit: 10, hardLimit: 20 });
      await budgets.add(budget);
      const announce = async (limit: 'soft' | 'hard') => {
        const state = await budgets.get(budget.id);
        if (!state) throw new Error('no budget');
        return budgets.announce(state, limit, event({ type: `budget.${limit}`, project: webhook.project }));
      };
      expect((await Promise.all([announce('soft'), announce('soft')])).toSorted()).toEqual([false, true]);
      expect(await budgets.get(budget.id)).toMatchObject({ isAnnounced: { soft: true, hard: false } });
      expect(await announce('hard')).toBe(true);
      await budgets.update(budget.id, { softLimit: 15 });
      expect(await budgets.get(budget.id)).toMatchObject({ isAnnounced: { soft: false, hard: true } });
      await budgets.update(budget.id, { overrideLimit: 30 });
      expect(await announce('hard')).toBe(true);
      await budgets.reset(budget.id);
      expect(await budgets.get(budget.id)).toMatchObject({ isAnnounced: { soft: false, hard: false } });
      expect(await typesOf(webhook)).toEqual(['budget.hard', 'budget.hard', 'budget.soft']);
      await stores().webhooks.delete(webhook.id);
    });

    test('forget deliveries that have ended after 30 days', async () => {
      const webhook = await addWebhook();
      await stores().webhooks.publish(event({ project: webhook.project }));
      await stores().webhooks.publish(event({ project: webhook.project }));
      await stores().webhooks.record(await claimDelivery(webhook), undefined, { status: 'canceled' });
      const expire = (days: number) =>
        stores().removeExpired({
          completionsBefore: undefined,
          now: (seconds + days * 86_400) * 1000 + 1000,
          limit: 100,
        });
      await expire(29);
      expect((await deliveriesOf(webhook.id)).map(({ status }) => status)).toEqual(['canceled', 'pending']);
      await expire(30);
      expect((await deliveriesOf(webhook.id)).map(({ status }) => status)).toEqual(['pending']);
    });
  });
}
