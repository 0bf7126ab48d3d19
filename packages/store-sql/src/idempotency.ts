import type { Claim, IdempotencyStore, CachedResponse } from '@modelwire/ports';
import { sql } from 'kysely';
import { isReplyOfKey } from './event-streams/event-stream-queries.ts';
import { databaseClock } from './query/query-builder.ts';
import type { QueryBuilder } from './query/query-builder.ts';
import { statement } from './query/statement.ts';
import type { Slots, Statement } from './query/statement.ts';
import type { StoreContext } from './store-context.ts';
import { digest } from './completions/term.ts';
import { keysIn } from './query/record-key.ts';
import { fromStored, toStored } from './query/text.ts';
import type { StoredText } from './query/text.ts';

/** Creates the stores of idempotency keys, one per project. */
export function idempotencyStores({ database, db, eventStreams }: StoreContext): (project: string) => IdempotencyStore {
  const queries = idempotencyQueries(db);
  return (project) => {
    const keyOf = keysIn(project);
    const digestOf = (key: string): string => digest([project, key]);
    return {
      async claim({ key, token, fingerprint, claimTtlMs, stream }) {
        const held = { digest: digestOf(key), token };
        const stream_id = stream ? toStored(stream.id) : null;
        const values = { ...held, fingerprint: toStored(fingerprint), ttlMs: claimTtlMs, stream_id };
        // Either the first statement claims the row or the second reads the existing claim: one transaction, so nothing intervenes.
        const claimBy = (claim: Statement<unknown>) =>
          database.write([
            claim,
            queries.existing(held),
            ...(stream ? [eventStreams.insertOfClaim({ ...stream, ...keyOf(stream.id), ...held })] : []),
          ]);
        let [[claimed], [existing]] = await claimBy(queries.claim(values));
        // A statement of its own: PostgreSQL checks the stream as it was when the statement started, which may have waited for another claim.
        if (!claimed && existing?.is_reply === 0)
          [[claimed], [existing]] = await claimBy(queries.replaceStream({ ...values, replaced: existing.stream_id }));
        if (claimed) return { state: 'acquired' };
        if (!existing) throw new Error('an idempotency key is neither free nor claimed');
        return claimOf(existing, fingerprint);
      },
      async find(key, fingerprint) {
        const [existing] = await database.read(queries.valid({ digest: digestOf(key) }));
        return existing && claimOf(existing, fingerprint);
      },
      async renew({ key, token }, claimTtlMs) {
        const [rows] = await database.write([queries.renew({ digest: digestOf(key), token, ttlMs: claimTtlMs })]);
        return rows.length > 0;
      },
      async finish({ key, token }, response, retentionMs) {
        const [rows] = await database.write([
          queries.finish({ digest: digestOf(key), token, response, ttlMs: retentionMs }),
        ]);
        return rows.length > 0;
      },
      async release({ key, token }) {
        const held = { digest: digestOf(key), token };
        await database.write([queries.deleteStream(held), queries.release(held)]);
      },
    };
  };
}

type ClaimRow = NonNullable<ReturnType<ReturnType<typeof idempotencyQueries>['existing']>['row']>;

function claimOf(
  { request_fingerprint, response_status, response_content_type, response_body, stream_id }: ClaimRow,
  fingerprint: string,
): Exclude<Claim, { readonly state: 'acquired' }> {
  if (fromStored(request_fingerprint) !== fingerprint) return { state: 'key_reused' };
  if (stream_id !== null) return { state: 'streamed', stream: fromStored(stream_id) };
  if (response_status === null || response_content_type === null || response_body === null)
    return { state: 'in_progress' };
  const response = {
    status: response_status,
    contentType: fromStored(response_content_type),
    body: fromStored(response_body),
  };
  return { state: 'completed', response };
}

interface ClaimValues extends Held {
  readonly fingerprint: StoredText;
  readonly ttlMs: number;
  readonly stream_id: StoredText | null;
}

interface Held {
  readonly digest: string;
  readonly token: string;
}

/** The claim was not taken over and has no response yet. */
const isHeld = (slot: Slots<Held>) =>
  sql<boolean>`digest = ${slot('digest')} and claim_token = ${slot('token')} and response_status is null`;

function idempotencyQueries(db: QueryBuilder) {
  const clock = databaseClock(db);
  const expiry = (slot: Slots<{ readonly ttlMs: number }>) => sql<number>`${clock} + ${slot('ttlMs')}`;
  const isReply = isReplyOfKey(db, 'idempotency_keys.stream_id');
  const existing = (slot: Slots<{ readonly digest: string }>) =>
    db
      .selectFrom('idempotency_keys')
      .select(['request_fingerprint', 'response_status', 'response_content_type', 'response_body', 'stream_id'])
      .select(sql<number>`case when stream_id is null or ${isReply} then 1 else 0 end`.as('is_reply'))
      .where('digest', '=', slot('digest'));
  return {
    claim: statement((slot: Slots<ClaimValues>) =>
      db
        .insertInto('idempotency_keys')
        .values({
          digest: slot('digest'),
          claim_token: slot('token'),
          request_fingerprint: slot('fingerprint'),
          expires_at_ms: expiry(slot),
          stream_id: slot('stream_id'),
        })
        .onConflict((conflict) =>
          conflict
            .column('digest')
            .doUpdateSet(({ ref }) => ({
              claim_token: ref('excluded.claim_token'),
              request_fingerprint: ref('excluded.request_fingerprint'),
              expires_at_ms: ref('excluded.expires_at_ms'),
              stream_id: ref('excluded.stream_id'),
              response_status: null,
              response_content_type: null,
              response_body: null,
            }))
            // The claim of a crashed server or an expired response.
            .where('idempotency_keys.expires_at_ms', '<=', clock),
        )
        .returning('digest'),
    ),
    /** Claims the key of a stream that cannot be the reply any more. */
    replaceStream: statement((slot: Slots<ClaimValues & { readonly replaced: StoredText | null }>) =>
      db
        .updateTable('idempotency_keys')
        .set({
          claim_token: slot('token'),
          request_fingerprint: slot('fingerprint'),
          expires_at_ms: expiry(slot),
          stream_id: slot('stream_id'),
        })
        .where('digest', '=', slot('digest'))
        .where('stream_id', '=', slot('replaced'))
        .where((eb) => eb.not(isReply))
        .returning('digest'),
    ),
    existing: statement(existing),
    valid: statement((slot: Slots<{ readonly digest: string }>) => existing(slot).where('expires_at_ms', '>', clock)),
    renew: statement((slot: Slots<Held & { readonly ttlMs: number }>) =>
      db
        .updateTable('idempotency_keys')
        .set({ expires_at_ms: expiry(slot) })
        .where(isHeld(slot))
        .returning('digest'),
    ),
    finish: statement((slot: Slots<Held & { readonly response: CachedResponse; readonly ttlMs: number }>) =>
      db
        .updateTable('idempotency_keys')
        .set({
          response_status: slot(({ response }) => response.status),
          response_content_type: slot(({ response }) => toStored(response.contentType)),
          response_body: slot(({ response }) => toStored(response.body)),
          expires_at_ms: expiry(slot),
        })
        .where(isHeld(slot))
        .returning('digest'),
    ),
    deleteStream: statement((slot: Slots<Held>) =>
      db
        .deleteFrom('event_streams')
        .where('id', '=', ({ selectFrom }) => selectFrom('idempotency_keys').select('stream_id').where(isHeld(slot))),
    ),
    release: statement((slot: Slots<Held>) => db.deleteFrom('idempotency_keys').where(isHeld(slot))),
  };
}
