import type { Claim, IdempotencyStore, CachedResponse } from '@modelwire/ports';
import { sql } from 'kysely';
import type { SqlDatabase } from './database/database.ts';
import { databaseClock } from './query/query-builder.ts';
import type { QueryBuilder } from './query/query-builder.ts';
import { statement } from './query/statement.ts';
import type { Slots } from './query/statement.ts';
import { digest } from './completions/term.ts';
import { fromStored, toStored } from './query/text.ts';
import type { StoredText } from './query/text.ts';

/** Creates the stores of idempotency keys, one per project. */
export function idempotencyStores(database: SqlDatabase, db: QueryBuilder): (project: string) => IdempotencyStore {
  const queries = idempotencyQueries(db);
  return (project) => {
    const digestOf = (key: string): string => digest([project, key]);
    return {
      async claim({ key, token, fingerprint, claimTtlMs }) {
        const keyDigest = digestOf(key);
        // Either the first statement claims the row or the second reads the existing claim: one transaction, so nothing intervenes.
        const [[claimed], [existing]] = await database.write([
          queries.claim({ digest: keyDigest, token, fingerprint: toStored(fingerprint), ttlMs: claimTtlMs }),
          queries.existing({ digest: keyDigest }),
        ]);
        if (claimed) return { state: 'acquired' };
        if (!existing) throw new Error('an idempotency key is neither free nor claimed');
        return claimOf(existing, fingerprint);
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
        await database.write([queries.release({ digest: digestOf(key), token })]);
      },
    };
  };
}

type ClaimRow = NonNullable<ReturnType<ReturnType<typeof idempotencyQueries>['existing']>['row']>;

function claimOf(
  { request_fingerprint, response_status: status, response_content_type: contentType, response_body: body }: ClaimRow,
  fingerprint: string,
): Claim {
  if (fromStored(request_fingerprint) !== fingerprint) return { state: 'key_reused' };
  if (status === null || contentType === null || body === null) return { state: 'in_progress' };
  return { state: 'completed', response: { status, contentType: fromStored(contentType), body: fromStored(body) } };
}

interface ClaimValues extends Held {
  readonly fingerprint: StoredText;
  readonly ttlMs: number;
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
  return {
    claim: statement((slot: Slots<ClaimValues>) =>
      db
        .insertInto('idempotency_keys')
        .values({
          digest: slot('digest'),
          claim_token: slot('token'),
          request_fingerprint: slot('fingerprint'),
          expires_at_ms: expiry(slot),
        })
        .onConflict((conflict) =>
          conflict
            .column('digest')
            .doUpdateSet(({ ref }) => ({
              claim_token: ref('excluded.claim_token'),
              request_fingerprint: ref('excluded.request_fingerprint'),
              expires_at_ms: ref('excluded.expires_at_ms'),
              response_status: null,
              response_content_type: null,
              response_body: null,
            }))
            // The claim of a crashed server or an expired response.
            .where('idempotency_keys.expires_at_ms', '<=', clock),
        )
        .returning('digest'),
    ),
    existing: statement((slot: Slots<{ readonly digest: string }>) =>
      db
        .selectFrom('idempotency_keys')
        .select(['request_fingerprint', 'response_status', 'response_content_type', 'response_body'])
        .where('digest', '=', slot('digest')),
    ),
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
    release: statement((slot: Slots<Held>) => db.deleteFrom('idempotency_keys').where(isHeld(slot))),
  };
}
