import type { WebhookDelivery, WebhookRecord, WebhookStore } from '@modelwire/ports';
import { auditStatements } from '../keys/audit.ts';
import { pageOf } from '../query/pages.ts';
import type { StoreContext } from '../store-context.ts';
import { compileOnce } from '../query/statement.ts';
import { toStored } from '../query/text.ts';
import { commit, expectRows } from '../database/transaction.ts';
import { attemptList, deliveryCodec, webhookCodec, webhookQueries } from './webhook-queries.ts';

const isThere = 'the webhook exists';

export function webhookStore({ database, db, jobs, publish }: StoreContext): WebhookStore {
  const queries = webhookQueries(db);
  const audited = auditStatements(db);

  async function get(id: string): Promise<WebhookRecord | undefined> {
    const [row] = await database.read(queries.get({ id: toStored(id) }));
    return row && webhookCodec.fromRow(row);
  }
  async function delivery(id: string): Promise<WebhookDelivery | undefined> {
    const [row] = await database.read(queries.delivery({ id: toStored(id) }));
    return row && deliveryCodec.fromRow(row);
  }
  return {
    async add(webhook, audit) {
      await database.write([queries.add(webhookCodec.toRow(webhook)), ...audited(audit)]);
    },
    get,
    list: async () => (await database.scan(queries.all({}))).map(webhookCodec.fromRow),
    async update(id, changes, audit) {
      const set = webhookCodec.changesOf(changes);
      if (Object.keys(set).length === 0) return get(id);
      await commit(database, [expectRows(1, isThere, queries.update(toStored(id), set)), ...audited(audit)]);
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
      const rotated = await commit(database, [
        expectRows(1, 'the grace period has ended', compileOnce(rotate)),
        ...audited(audit),
      ]);
      return rotated ? get(id) : undefined;
    },
    async delete(id, audit) {
      return commit(database, [
        expectRows(1, isThere, queries.delete({ id: toStored(id) })),
        queries.enqueueRemoval({ id: toStored(id) }),
        ...audited(audit),
      ]);
    },
    async publish(event) {
      await database.write(publish(event));
    },
    async deliveries({ webhook, after, limit, status }) {
      const [cursor] = after === undefined ? [] : await database.read(queries.delivery({ id: toStored(after) }));
      if (after !== undefined && !cursor) return undefined;
      const rows = await database.scan(queries.page({ webhook, before: cursor?.seq, status, limit: limit + 1 }));
      return pageOf(rows.map(deliveryCodec.fromRow), limit);
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
      return commit(database, [
        jobs.held(key, lease),
        queries.updateDelivery(key.id, {
          attempts,
          status: isRetried ? 'pending' : outcome.status,
          next_attempt_at: isRetried ? outcome.nextAttempt : null,
        }),
        isRetried ? jobs.postpone({ ...key, afterMs: outcome.retryAfterMs }) : jobs.remove(key),
      ]);
    },
    async redeliver(id, at) {
      const found = await delivery(id);
      if (!found) return false;
      const key = { id: toStored(id) };
      const webhook = toStored(found.webhook);
      return commit(database, [
        queries.insertJob({ ...key, webhook }),
        jobs.makeUrgent({ ...key, project_id: webhook, kind: 'webhook' }),
        expectRows(
          1,
          'the delivery exists',
          queries.updateDelivery(key.id, { status: 'pending', next_attempt_at: at }),
        ),
      ]);
    },
  };
}
