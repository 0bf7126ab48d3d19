import type { StreamWriterRole } from '@modelwire/ports';
import { sql } from 'kysely';
import { asBigint, asText } from '../query/casts.ts';
import { databaseClock } from '../query/query-builder.ts';
import type { QueryBuilder } from '../query/query-builder.ts';
import { matchesKey } from '../query/record-key.ts';
import type { RecordKey } from '../query/record-key.ts';
import type { StoredStreamStatus } from '../schema/record-tables.ts';
import { statement } from '../query/statement.ts';
import type { Slots } from '../query/statement.ts';

export interface Lifetime {
  readonly leaseMs: number;
  readonly keepMs: number;
}

export interface Writer extends RecordKey {
  readonly writer: StreamWriterRole;
}

export interface Outcome extends RecordKey {
  readonly status: StoredStreamStatus;
  /** JSON. */
  readonly failure: string | null;
  readonly keepMs: number;
  readonly holdKeyMs: number;
}

export interface StoredSegment extends RecordKey {
  readonly last_event: number;
  readonly data: string;
}

export function eventStreamQueries(db: QueryBuilder) {
  const clock = databaseClock(db);
  const after = (ms: number) => sql<number>`${clock} + ${ms}`;
  const seqOf = (slot: Slots<RecordKey>) => db.selectFrom('event_streams').select('seq').where(matchesKey(slot));
  const isLeased = sql<boolean>`lease_expires_at_ms > ${clock}`;
  const isLost = sql<boolean>`status = 'open' and lease_expires_at_ms <= ${clock}`;
  const isOfCompletion = sql<boolean>`response_seq is null`;
  const leased = (slot: Slots<Lifetime>) => ({
    lease_expires_at_ms: after(slot('leaseMs')),
    expires_at_ms: after(slot(({ leaseMs, keepMs }) => leaseMs + keepMs)),
  });
  const outcome = (slot: Slots<Outcome>) => ({
    status: slot('status'),
    failure: slot('failure'),
    request: null,
    ended_at_ms: clock,
    lease_expires_at_ms: after(slot('holdKeyMs')),
    expires_at_ms: after(slot('keepMs')),
  });
  const isHeld = (slot: Slots<Writer>) => sql<boolean>`status = 'open' and ${isLeased} and writer = ${slot('writer')}`;
  const update = (slot: Slots<RecordKey>) => db.updateTable('event_streams').where(matchesKey(slot)).returning('seq');

  return {
    insert: statement((slot: Slots<RecordKey & Lifetime>) =>
      db
        .insertInto('event_streams')
        .values({ id: slot('id'), project_id: slot('project_id'), status: 'open', ...leased(slot) }),
    ),

    /** Inserts the stream of the idempotency key with this claim, if it was granted. */
    insertOfClaim: statement(
      (slot: Slots<RecordKey & Lifetime & { readonly digest: string; readonly token: string }>) =>
        db
          .insertInto('event_streams')
          .columns(['id', 'project_id', 'status', 'lease_expires_at_ms', 'expires_at_ms'])
          .expression((eb) => {
            const { lease_expires_at_ms, expires_at_ms } = leased(slot);
            return eb
              .selectFrom('idempotency_keys')
              .select([
                asText(slot('id')).as('id'),
                asText(slot('project_id')).as('project_id'),
                sql<StoredStreamStatus>`'open'`.as('status'),
                lease_expires_at_ms.as('lease_expires_at_ms'),
                expires_at_ms.as('expires_at_ms'),
              ])
              .where('digest', '=', slot('digest'))
              .where('claim_token', '=', slot('token'));
          }),
    ),

    insertOfResponse: statement((slot: Slots<RecordKey>) =>
      db
        .insertInto('event_streams')
        .columns(['id', 'project_id', 'status', 'response_seq'])
        .expression((eb) =>
          eb
            .selectFrom('responses')
            .select(['id', 'project_id', sql<StoredStreamStatus>`'open'`.as('status'), 'seq'])
            .where(matchesKey(slot)),
        ),
    ),

    renew: statement((slot: Slots<Writer & Lifetime>) => update(slot).set(leased(slot)).where(isHeld(slot))),

    storeRequest: statement((slot: Slots<Writer & { readonly request: string }>) =>
      update(slot)
        .set({ request: slot('request') })
        .where(isHeld(slot)),
    ),

    requestOfLost: statement((slot: Slots<RecordKey>) =>
      db.selectFrom('event_streams').select('request').where(matchesKey(slot)).where(isLost),
    ),

    takeOver: statement((slot: Slots<RecordKey & Lifetime>) =>
      update(slot)
        .set({ ...leased(slot), request: null, writer: 'successor' })
        .where(isLost)
        .where('request', 'is not', null),
    ),

    /** Returns a row while the lease is held, and locks the stream until the transaction ends. */
    held: statement((slot: Slots<Writer>) => seqOf(slot).where(isHeld(slot)).forUpdate()),

    appendSegment: statement((slot: Slots<StoredSegment>) =>
      db
        .insertInto('event_segments')
        .columns(['stream_seq', 'last_event', 'data'])
        .expression((eb) =>
          eb
            .selectFrom('event_streams')
            .select(['seq', asBigint(slot('last_event')).as('last_event'), asText(slot('data')).as('data')])
            .where(matchesKey(slot)),
        )
        // Its write is repeated after an outage, in which it may have been committed.
        .onConflict((conflict) => conflict.columns(['stream_seq', 'last_event']).doNothing()),
    ),

    /** The same outcome can be set again: its first write may have been committed in an outage. */
    end: statement((slot: Slots<Outcome & Writer>) =>
      update(slot)
        .set(outcome(slot))
        .where('writer', '=', slot('writer'))
        .where((eb) => eb.or([eb('status', '=', slot('status')), isHeld(slot)])),
    ),

    endLost: statement((slot: Slots<Outcome>) => update(slot).set(outcome(slot)).where(isLost)),

    endOfResponse: statement((slot: Slots<RecordKey>) => update(slot).set({ status: 'ended', ended_at_ms: clock })),

    follow: statement((slot: Slots<RecordKey>) => update(slot).set({ followed_at_ms: clock })),

    /** One row for each segment, or one without. A single statement: between two the stream might end. */
    read: statement((slot: Slots<RecordKey & { readonly after: number; readonly limit: number }>) =>
      db
        .selectFrom('event_streams')
        .leftJoin(
          (eb) =>
            eb
              .selectFrom('event_segments')
              .select(['last_event', 'data'])
              .where('stream_seq', '=', seqOf(slot))
              .where('last_event', '>', slot('after'))
              .orderBy('last_event')
              .limit(slot('limit'))
              .as('page'),
          (join) => join.onTrue(),
        )
        .select([
          sql<EventStreamRowStatus>`case when ${isLost} then 'lost' else status end`.as('status'),
          'response_seq',
          'failure',
          sql<number | null>`${clock} - ended_at_ms`.as('ended_ms_ago'),
          sql<number | null>`${clock} - followed_at_ms`.as('followed_ms_ago'),
          'page.last_event',
          'page.data',
        ])
        .where(matchesKey(slot))
        .where(sql<boolean>`(expires_at_ms is null or expires_at_ms > ${clock})`)
        .orderBy('page.last_event'),
    ),

    delete: statement((slot: Slots<RecordKey>) =>
      db.deleteFrom('event_streams').where(matchesKey(slot)).where(isOfCompletion).returning('seq'),
    ),
  };
}

type EventStreamRowStatus = StoredStreamStatus | 'lost';

/** Whether the stream that an idempotency key refers to can still be its reply. Otherwise the key can be claimed again. */
export const isReplyOfKey = (db: QueryBuilder, streamId: string) => {
  const clock = databaseClock(db);
  return sql<boolean>`exists ${db
    .selectFrom('event_streams')
    .select('seq')
    .where(sql<boolean>`id = ${sql.ref(streamId)}`)
    .where(sql<boolean>`(status = 'ended' or lease_expires_at_ms > ${clock})`)
    .where('expires_at_ms', '>', clock)}`;
};
