import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type {
  WebhookAttempt,
  WebhookDeliveryStatus,
  WebhookEvent,
  WebhookRecord,
  WebhookRotation,
} from '@modelwire/ports';
import { webhookAttemptsKept } from '@modelwire/ports';
import type { SqlDatabase } from './database.ts';
import { databaseClock } from './query-builder.ts';
import type { QueryBuilder } from './query-builder.ts';
import { statement } from './statement.ts';
import type { Slots, Statement } from './statement.ts';
import { toStored } from './text.ts';
import type { StoredText } from './text.ts';
import { markAsFreeingSpace } from './transaction.ts';

interface ById {
  readonly id: string;
}
interface PageOfDeliveries {
  readonly webhook: string;
  readonly before: number | undefined;
  readonly status: WebhookDeliveryStatus | undefined;
  readonly limit: number;
}

/** The types of events as one text in which each can be found: ` a b `. Names of types contain no spaces. */
export function eventList(events: readonly string[] | null): StoredText | null {
  return events === null ? null : toStored(` ${events.join(' ')} `);
}

const text = (value: unknown): RawBuilder<StoredText> => sql<StoredText>`cast(${value} as text)`;
const bigint = (value: unknown): RawBuilder<number> => sql<number>`cast(${value} as bigint)`;

export function webhookQueries(db: QueryBuilder) {
  const isId = (slot: Slots<ById>): RawBuilder<boolean> => sql<boolean>`id = ${slot(({ id }) => toStored(id))}`;
  const webhooks = () =>
    db
      .selectFrom('webhooks')
      .select(['id', 'name', 'url', 'project', 'events', 'enabled', 'secret'])
      .select(['previous_secret', 'previous_valid_until', 'created']);
  const deliveries = () =>
    db
      .selectFrom('webhook_deliveries')
      .select(['seq', 'id', 'webhook', 'event', 'type', 'payload', 'status', 'attempts', 'created', 'next_attempt']);
  return {
    add: statement((slot: Slots<WebhookRecord>) =>
      db.insertInto('webhooks').values({
        id: slot(({ id }) => toStored(id)),
        name: slot(({ name }) => toStored(name)),
        url: slot(({ url }) => toStored(url)),
        project: slot(({ project }) => (project === null ? null : toStored(project))),
        events: slot(({ events }) => eventList(events)),
        enabled: slot(({ isEnabled }) => Number(isEnabled)),
        secret: slot('secret'),
        previous_secret: slot('previousSecret'),
        previous_valid_until: slot('previousValidUntil'),
        created: slot('created'),
      }),
    ),
    get: statement((slot: Slots<ById>) => webhooks().where(isId(slot))),
    all: statement(() => webhooks().orderBy('seq')),
    rotate: statement(
      (slot: Slots<ById & WebhookRotation>, { previousValidUntil, unlessPreviousValidAt }) => {
        const update = db
          .updateTable('webhooks')
          .set(({ ref }) => ({
            secret: slot('secret'),
            previous_secret: previousValidUntil === null ? null : ref('webhooks.secret'),
            previous_valid_until: slot('previousValidUntil'),
          }))
          .where(isId(slot))
          .returning('seq');
        if (unlessPreviousValidAt === undefined) return update;
        const at = slot((values) => values.unlessPreviousValidAt ?? 0);
        return update.where(sql<boolean>`coalesce(previous_valid_until, 0) <= ${at}`);
      },
      ({ previousValidUntil, unlessPreviousValidAt }) =>
        `${previousValidUntil === null} ${unlessPreviousValidAt === undefined}`,
    ),
    delete: statement((slot: Slots<ById>) => db.deleteFrom('webhooks').where(isId(slot)).returning('seq')),
    /** Remembers that the deliveries of the webhook are to be removed. */
    enqueueRemoval: statement((slot: Slots<ById>) =>
      db.insertInto('deleted_webhooks').values({ id: slot(({ id }) => toStored(id)) }),
    ),
    page: statement(
      (slot: Slots<PageOfDeliveries>, { before, status }) => {
        let query = deliveries()
          .where(
            'webhook',
            '=',
            slot((v) => toStored(v.webhook)),
          )
          .orderBy('seq', 'desc')
          .limit(slot('limit'));
        if (before !== undefined) {
          query = query.where(
            'seq',
            '<',
            slot((v) => v.before ?? 0),
          );
        }
        if (status === undefined) return query;
        return query.where(
          'status',
          '=',
          slot((v) => v.status ?? 'pending'),
        );
      },
      ({ before, status }) => `${before === undefined} ${status === undefined}`,
    ),
    delivery: statement((slot: Slots<ById>) => deliveries().where(isId(slot))),
    record: statement(
      (
        slot: Slots<
          ById & {
            readonly status: WebhookDeliveryStatus;
            readonly attempts: string;
            readonly nextAttempt: number | null;
          }
        >,
      ) =>
        db
          .updateTable('webhook_deliveries')
          .set({
            status: slot('status'),
            attempts: slot('attempts'),
            next_attempt: slot('nextAttempt'),
          })
          .where(isId(slot))
          .returning('seq'),
    ),
    redeliver: statement((slot: Slots<ById & { readonly at: number }>) =>
      db
        .updateTable('webhook_deliveries')
        .set({ status: 'pending', next_attempt: slot('at') })
        .where(isId(slot))
        .returning('seq'),
    ),
    insertJob: statement((slot: Slots<ById & { readonly webhook: StoredText }>) =>
      db
        .insertInto('jobs')
        .values({
          id: slot(({ id }) => toStored(id)),
          kind: 'webhook',
          project: slot('webhook'),
          due: databaseClock(db),
          status: 'open',
          token: null,
          attempt: 0,
          crashes: 0,
          notes: null,
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
  const insertDeliveries = statement((slot: Slots<WebhookEvent>) =>
    db
      .insertInto('webhook_deliveries')
      .columns(['id', 'webhook', 'event', 'type', 'payload', 'status', 'attempts', 'created', 'next_attempt'])
      .expression(
        db
          .selectFrom('webhooks')
          .select([
            sql<StoredText>`${text(slot(({ id }) => toStored(id)))} || '.' || webhooks.id`.as('delivery'),
            'webhooks.id',
            text(slot(({ id }) => toStored(id))).as('event'),
            text(slot(({ type }) => toStored(type))).as('type'),
            text(slot(payloadOf)).as('payload'),
            sql<WebhookDeliveryStatus>`'pending'`.as('status'),
            sql<string>`'[]'`.as('attempts'),
            bigint(slot('created')).as('created'),
            bigint(slot('created')).as('next_attempt'),
          ])
          .where('webhooks.enabled', '=', 1)
          .where(
            sql<boolean>`(webhooks.project is null or webhooks.project = ${text(slot(({ project }) => (project === null ? null : toStored(project))))})`,
          )
          .where(
            sql<boolean>`(webhooks.events is null or webhooks.events like ${text(slot(({ type }) => toStored(`% ${type} %`)))})`,
          ),
      )
      .onConflict((conflict) => conflict.doNothing()),
  );
  const insertJobs = statement((slot: Slots<WebhookEvent>) =>
    db
      .insertInto('jobs')
      .columns(['id', 'kind', 'project', 'due', 'status', 'token', 'attempt', 'crashes', 'notes'])
      .expression(
        db
          .selectFrom('webhook_deliveries')
          .select([
            'id',
            sql<'webhook'>`'webhook'`.as('kind'),
            'webhook',
            clock.as('due'),
            sql<'open'>`'open'`.as('open'),
            sql<null>`cast(null as text)`.as('token'),
            sql<number>`0`.as('attempt'),
            sql<number>`0`.as('crashes'),
            sql<null>`cast(null as text)`.as('notes'),
          ])
          .where(
            'event',
            '=',
            slot(({ id }) => toStored(id)),
          )
          .where('status', '=', 'pending'),
      )
      .onConflict((conflict) => conflict.doNothing()),
  );
  return (event) => [insertDeliveries(event), insertJobs(event)];
}

/** The event that a record has ended: `batch.completed`, for instance. */
export function endEvent(
  kind: 'batch' | 'response' | 'video',
  { id, status }: { readonly id: string; readonly status: string },
  project: string,
): WebhookEvent {
  const created = Math.floor(Date.now() / 1000);
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
      .where('oldest.webhook', '=', slot('id'))
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
                .where('webhook_deliveries.webhook', '=', slot('id')),
            ),
          ),
        ),
    ),
  };
}

/** Deletes deliveries created before `before` (Unix seconds) that have ended, the oldest first. */
export function deleteOldDeliveries(db: QueryBuilder) {
  return statement((slot: Slots<{ readonly before: number; readonly limit: number }>) =>
    db
      .deleteFrom('webhook_deliveries')
      .where('seq', 'in', ({ selectFrom }) =>
        selectFrom('webhook_deliveries as old')
          .select('old.seq')
          .where('old.created', '<', slot('before'))
          .where('old.status', '<>', 'pending')
          .orderBy('old.created')
          .limit(slot('limit')),
      )
      .returning('seq'),
  );
}
