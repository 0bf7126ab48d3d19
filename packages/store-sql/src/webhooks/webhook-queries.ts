import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type {
  WebhookAttempt,
  WebhookDelivery,
  WebhookDeliveryStatus,
  WebhookEvent,
  WebhookRecord,
} from '@modelwire/ports';
import { webhookAttemptsKept } from '@modelwire/ports';
import type { SqlDatabase } from '../database/database.ts';
import { asBigint, asText } from '../query/casts.ts';
import { databaseClock } from '../query/query-builder.ts';
import type { QueryBuilder } from '../query/query-builder.ts';
import { flag, nullable, plain, recordCodec, text } from '../query/record-codec.ts';
import type { ById } from '../query/record-key.ts';
import { deleteOldest, insertRow, updateById } from '../query/rows.ts';
import type { Tables } from '../schema/tables.ts';
import { statement } from '../query/statement.ts';
import type { Slots, Statement } from '../query/statement.ts';
import { fromStored, toStored } from '../query/text.ts';
import type { StoredText } from '../query/text.ts';
import { markAsFreeingSpace } from '../database/transaction.ts';

interface PageOfDeliveries {
  readonly webhook: string;
  readonly before: number | undefined;
  readonly status: WebhookDeliveryStatus | undefined;
  readonly limit: number;
}

export const webhookCodec = recordCodec<Selectable<Tables['webhooks']>, WebhookRecord>()({
  id: text('id'),
  name: text('name'),
  url: text('url'),
  project: nullable(text('project_id')),
  events: nullable({
    column: 'event_types',
    // As one text in which each type can be found: ` a b `. Names of types contain no spaces.
    store: (types: readonly string[]) => toStored(` ${types.join(' ')} `),
    load: (stored): readonly string[] => fromStored(stored).trim().split(' '),
  }),
  isEnabled: flag('is_enabled'),
  secret: plain('secret'),
  previousSecret: plain('previous_secret'),
  previousValidUntil: plain('previous_valid_until'),
  created: plain('created_at'),
});

export const deliveryCodec = recordCodec<Selectable<Tables['webhook_deliveries']>, WebhookDelivery>()({
  id: text('id'),
  webhook: text('webhook_id'),
  event: text('event_id'),
  type: text('event_type'),
  payload: plain('payload'),
  status: plain('status'),
  attempts: {
    column: 'attempts',
    store: JSON.stringify,
    load: (stored) => JSON.parse(stored) as readonly WebhookAttempt[],
  },
  created: plain('created_at'),
  nextAttempt: plain('next_attempt_at'),
});

export function webhookQueries(db: QueryBuilder) {
  const webhooks = () => db.selectFrom('webhooks').select(webhookCodec.columns);
  const deliveries = () => db.selectFrom('webhook_deliveries').select(['seq', ...deliveryCodec.columns]);
  return {
    add: insertRow(db, 'webhooks'),
    get: statement((slot: Slots<ById>) => webhooks().where('id', '=', slot('id'))),
    all: statement(() => webhooks().orderBy('seq')),
    delete: statement((slot: Slots<ById>) => db.deleteFrom('webhooks').where('id', '=', slot('id')).returning('seq')),
    /** Remembers that the deliveries of the webhook are to be removed. */
    enqueueRemoval: insertRow(db, 'deleted_webhooks'),
    page: statement(
      (slot: Slots<PageOfDeliveries>, { before, status }) => {
        const webhook = slot((v) => toStored(v.webhook));
        let query = deliveries().where('webhook_id', '=', webhook).orderBy('seq', 'desc').limit(slot('limit'));
        const seq = slot((v) => v.before ?? 0);
        if (before !== undefined) query = query.where('seq', '<', seq);
        const wanted = slot((v) => v.status ?? 'pending');
        return status === undefined ? query : query.where('status', '=', wanted);
      },
      ({ before, status }) => `${before === undefined} ${status === undefined}`,
    ),
    delivery: statement((slot: Slots<ById>) => deliveries().where('id', '=', slot('id'))),
    updateDelivery: updateById(db, 'webhook_deliveries'),
    update: updateById(db, 'webhooks'),
    insertJob: statement((slot: Slots<ById & { readonly webhook: StoredText }>) =>
      db
        .insertInto('jobs')
        .values({
          id: slot('id'),
          kind: 'webhook',
          project_id: slot('webhook'),
          due_at_ms: databaseClock(db),
          created_at_ms: databaseClock(db),
        })
        .onConflict((conflict) => conflict.doNothing()),
    ),
  };
}

/** The last attempts, with one more, as they are stored. */
export function attemptList(attempts: readonly WebhookAttempt[], next: WebhookAttempt | undefined): string {
  return JSON.stringify([...attempts, ...(next ? [next] : [])].slice(-webhookAttemptsKept));
}

/** Statements that queue an event for each enabled endpoint that wants it, for the transaction of what happened. */
export function publishStatements(db: QueryBuilder): (event: WebhookEvent) => readonly Statement<unknown>[] {
  const clock = databaseClock(db);
  const insertDeliveries = statement((slot: Slots<WebhookEvent>) => {
    const event = asText(slot(({ id }) => toStored(id)));
    const project = asText(slot(({ project: id }) => (id === null ? null : toStored(id))));
    const type = asText(slot(({ type: name }) => toStored(`% ${name} %`)));
    const created = asBigint(slot('created'));
    return db
      .insertInto('webhook_deliveries')
      .columns([...deliveryCodec.columns])
      .expression(
        db
          .selectFrom('webhooks')
          .select([
            sql<StoredText>`${event} || '.' || webhooks.id`.as('delivery'),
            'webhooks.id',
            event.as('event_id'),
            asText(slot(({ type: name }) => toStored(name))).as('event_type'),
            asText(slot(payloadOf)).as('payload'),
            sql<WebhookDeliveryStatus>`'pending'`.as('status'),
            sql<string>`'[]'`.as('attempts'),
            created.as('created_at'),
            created.as('next_attempt_at'),
          ])
          .where('webhooks.is_enabled', '=', 1)
          .where(sql<boolean>`(webhooks.project_id is null or webhooks.project_id = ${project})`)
          .where(sql<boolean>`(webhooks.event_types is null or webhooks.event_types like ${type})`),
      )
      .onConflict((conflict) => conflict.doNothing());
  });
  const insertJobs = statement((slot: Slots<WebhookEvent>) => {
    const event = slot(({ id }) => toStored(id));
    return db
      .insertInto('jobs')
      .columns(['id', 'kind', 'project_id', 'due_at_ms', 'created_at_ms'])
      .expression(
        db
          .selectFrom('webhook_deliveries')
          .select([
            'id',
            sql<'webhook'>`'webhook'`.as('kind'),
            'webhook_id',
            clock.as('due_at_ms'),
            clock.as('created_at_ms'),
          ])
          .where('event_id', '=', event)
          .where('status', '=', 'pending'),
      )
      .onConflict((conflict) => conflict.doNothing());
  });
  return (event) => [insertDeliveries(event), insertJobs(event)];
}

/** The event that a record has ended: `batch.completed`, for instance. `created`: Unix seconds. */
export function endEvent(
  kind: 'batch' | 'response' | 'video',
  { id, status }: { readonly id: string; readonly status: string },
  { project, created }: Pick<WebhookEvent, 'created'> & { readonly project: string },
): WebhookEvent {
  // A record ends once: the ID of its event is made from its own.
  return { id: `evt_${id}`, type: `${kind}.${status}`, project, created, data: { id } };
}

/** The body of the request, as OpenAI sends its events. */
function payloadOf({ id, type, created, data }: WebhookEvent): string {
  return JSON.stringify({ id, object: 'event', created_at: created, type, data });
}

/** Removes the deliveries and jobs of deleted webhooks, the oldest first, and returns how many deliveries: at most `limit`. */
export function removeDeletedWebhooks(database: SqlDatabase, db: QueryBuilder): (limit: number) => Promise<number> {
  const queries = deletedWebhookQueries(db);
  return async (limit) => {
    let remaining = limit;
    for (const { id } of await database.read(queries.deleted({ limit }))) {
      const [, removed] = await database.write([
        queries.removeJobs({ id, limit: remaining }),
        markAsFreeingSpace(queries.removeDeliveries({ id, limit: remaining })),
        queries.forget({ id }),
      ]);
      remaining -= removed.length;
      if (remaining <= 0) break;
    }
    return limit - remaining;
  };
}

interface RemovalValues {
  readonly id: StoredText;
  readonly limit: number;
}

function deletedWebhookQueries(db: QueryBuilder) {
  const oldest = (slot: Slots<RemovalValues>) =>
    db
      .selectFrom('webhook_deliveries as oldest')
      .where('oldest.webhook_id', '=', slot('id'))
      .orderBy('oldest.seq')
      .limit(slot('limit'));
  return {
    deleted: statement((slot: Slots<{ readonly limit: number }>) =>
      db.selectFrom('deleted_webhooks').select('id').orderBy('id').limit(slot('limit')),
    ),
    removeJobs: statement((slot: Slots<RemovalValues>) =>
      db.deleteFrom('jobs').where('kind', '=', 'webhook').where('id', 'in', oldest(slot).select('oldest.id')),
    ),
    // Not those with a job: a job without its delivery could not end.
    removeDeliveries: statement((slot: Slots<RemovalValues>) =>
      db
        .deleteFrom('webhook_deliveries')
        .where('seq', 'in', oldest(slot).select('oldest.seq'))
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('jobs')
                .select('jobs.seq')
                .whereRef('jobs.id', '=', 'webhook_deliveries.id')
                .where('jobs.kind', '=', 'webhook'),
            ),
          ),
        )
        .returning('seq'),
    ),
    forget: statement((slot: Slots<{ readonly id: StoredText }>) =>
      db
        .deleteFrom('deleted_webhooks')
        .where('id', '=', slot('id'))
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('webhook_deliveries')
                .select('webhook_deliveries.seq')
                .where('webhook_deliveries.webhook_id', '=', slot('id')),
            ),
          ),
        ),
    ),
  };
}

/** Deletes deliveries created before `before` (Unix seconds) that have ended, the oldest first. */
export function deleteOldDeliveries(db: QueryBuilder) {
  const isRemovable = sql<boolean>`old.status <> 'pending'`;
  return deleteOldest(db, 'webhook_deliveries', { key: 'seq', time: 'created_at', isRemovable });
}
