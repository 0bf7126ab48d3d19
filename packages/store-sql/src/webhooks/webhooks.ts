import type { WebhookAttempt, WebhookDelivery, WebhookRecord, WebhookStore } from '@modelwire/ports';
import type { Selectable } from 'kysely';
import { auditStatements } from '../keys/audit.ts';
import { pageOf } from '../query/pages.ts';
import type { StoreContext } from '../store-context.ts';
import { compileOnce } from '../query/statement.ts';
import type { WebhookDeliveryTable, WebhookTable } from '../schema/tables.ts';
import { fromStored, toStored } from '../query/text.ts';
import { expectRows, transaction } from '../database/transaction.ts';
import { attemptList, eventList, webhookQueries } from './webhook-queries.ts';

const isThere = 'the webhook exists';

export function webhookStore({ database, db, jobs, publish }: StoreContext): WebhookStore {
  const queries = webhookQueries(db);
  const audited = auditStatements(db);

  async function get(id: string): Promise<WebhookRecord | undefined> {
    const [row] = await database.read(queries.get({ id }));
    return row && webhookOf(row);
  }
  async function delivery(id: string): Promise<WebhookDelivery | undefined> {
    const [row] = await database.read(queries.delivery({ id }));
    return row && deliveryOf(row);
  }
  return {
    async add(webhook, audit) {
      const row = {
        id: toStored(webhook.id),
        name: toStored(webhook.name),
        url: toStored(webhook.url),
        project_id: webhook.project === null ? null : toStored(webhook.project),
        event_types: eventList(webhook.events),
        is_enabled: Number(webhook.isEnabled),
        secret: webhook.secret,
        previous_secret: webhook.previousSecret,
        previous_valid_until: webhook.previousValidUntil,
        created_at: webhook.created,
      };
      await database.write([queries.add(row), ...audited(audit)]);
    },
    get,
    list: async () => (await database.scan(queries.all({}))).map(webhookOf),
    async update(id, changes, audit) {
      const { name, url, events, isEnabled } = changes;
      const set = {
        ...(name !== undefined && { name: toStored(name) }),
        ...(url !== undefined && { url: toStored(url) }),
        ...(events !== undefined && { event_types: eventList(events) }),
        ...(isEnabled !== undefined && { is_enabled: Number(isEnabled) }),
      };
      if (Object.keys(set).length === 0) return get(id);
      const change = db.updateTable('webhooks').set(set).where('id', '=', toStored(id)).returning('seq');
      await transaction(database, [expectRows(1, isThere, compileOnce(change)), ...audited(audit)]);
      return get(id);
    },
    async rotate(id, { secret, previousValidUntil, unlessPreviousValidAt = Number.MAX_SAFE_INTEGER }, audit) {
      const rotate = db
        .updateTable('webhooks')
        .set(({ ref }) => ({
          secret,
          previous_secret: previousValidUntil === null ? null : ref('webhooks.secret'),
          previous_valid_until: previousValidUntil,
        }))
        .where('id', '=', toStored(id))
        .where(({ eb, fn, lit }) => eb(fn.coalesce('previous_valid_until', lit(0)), '<=', unlessPreviousValidAt))
        .returning('seq');
      const rotated = await transaction(database, [
        expectRows(1, 'the grace period has ended', compileOnce(rotate)),
        ...audited(audit),
      ]);
      return rotated && get(id);
    },
    async delete(id, audit) {
      const deleted = await transaction(database, [
        expectRows(1, isThere, queries.delete({ id })),
        queries.enqueueRemoval({ id: toStored(id) }),
        ...audited(audit),
      ]);
      return deleted !== undefined;
    },
    async publish(event) {
      await database.write(publish(event));
    },
    async deliveries({ webhook, after, limit, status }) {
      const [cursor] = after === undefined ? [] : await database.read(queries.delivery({ id: after }));
      if (after !== undefined && !cursor) return undefined;
      const rows = await database.scan(queries.page({ webhook, before: cursor?.seq, status, limit: limit + 1 }));
      return pageOf(rows.map(deliveryOf), limit);
    },
    delivery,
    async record(lease, attempt, outcome) {
      const key = {
        id: toStored(lease.id),
        project_id: toStored(lease.project),
        kind: 'webhook',
        token: lease.token,
      } as const;
      const found = await delivery(lease.id);
      if (!found) return false;
      const attempts = attemptList(found.attempts, attempt);
      const isRetried = 'retryAfterMs' in outcome;
      const done = await transaction(database, [
        jobs.held(key, lease),
        queries.record({
          id: lease.id,
          attempts,
          status: isRetried ? 'pending' : outcome.status,
          next_attempt_at: isRetried ? outcome.nextAttempt : null,
        }),
        isRetried ? jobs.postpone({ ...key, afterMs: outcome.retryAfterMs }) : jobs.remove(key),
      ]);
      return done !== undefined;
    },
    async redeliver(id, at) {
      const found = await delivery(id);
      if (!found) return false;
      const webhook = toStored(found.webhook);
      const done = await transaction(database, [
        queries.insertJob({ id, webhook }),
        jobs.makeUrgent({ id: toStored(id), project_id: webhook, kind: 'webhook' }),
        expectRows(1, 'the delivery exists', queries.redeliver({ id, at })),
      ]);
      return done !== undefined;
    },
  };
}

function webhookOf(row: Omit<Selectable<WebhookTable>, 'seq'>): WebhookRecord {
  return {
    id: fromStored(row.id),
    name: fromStored(row.name),
    url: fromStored(row.url),
    project: row.project_id === null ? null : fromStored(row.project_id),
    events: row.event_types === null ? null : fromStored(row.event_types).trim().split(' '),
    isEnabled: row.is_enabled === 1,
    secret: row.secret,
    previousSecret: row.previous_secret,
    previousValidUntil: row.previous_valid_until,
    created: row.created_at,
  };
}

function deliveryOf(row: Selectable<WebhookDeliveryTable>): WebhookDelivery {
  return {
    id: fromStored(row.id),
    webhook: fromStored(row.webhook_id),
    event: fromStored(row.event_id),
    type: fromStored(row.event_type),
    payload: row.payload,
    status: row.status,
    // Written by `record`.
    attempts: JSON.parse(row.attempts) as readonly WebhookAttempt[],
    created: row.created_at,
    nextAttempt: row.next_attempt_at,
  };
}
