import type { Claim, IdempotencyStore, CachedResponse } from '@modelwire/ports';
import { sql } from 'kysely';
import type { SqlDatabase } from './database.ts';
import { databaseClock } from './query-builder.ts';
import type { QueryBuilder } from './query-builder.ts';
import { statement } from './statement.ts';
import type { Slots } from './statement.ts';
import { digest } from './term.ts';
import { fromStored, toStored } from './text.ts';
import type { StoredText } from './text.ts';

/** Creates the stores of idempotency keys, one per project. */
export function idempotencyStores(database: SqlDatabase, db: QueryBuilder): (project: string) => IdempotencyStore {
  const queries = idempotencyQueries(db);
  return (project) => {
    const slotOf = (key: string): string => digest([project, key]);
    return {
      async claim({ key, token, fingerprint, claimTtlMs }) {
        const slot = slotOf(key);
        // Either the first statement claims the row or the second reads the existing claim: one transaction, so nothing intervenes.
        const [[claimed], [existing]] = await database.write([
          queries.claim({ slot, token, fingerprint: toStored(fingerprint), ttlMs: claimTtlMs }),
          queries.existing({ slot }),
        ]);
        if (claimed) return { state: 'acquired' };
        if (!existing) throw new Error('an idempotency key is neither free nor claimed');
        return claimOf(existing, fingerprint);
      },
      async renew({ key, token }, claimTtlMs) {
        const [rows] = await database.write([queries.renew({ slot: slotOf(key), token, ttlMs: claimTtlMs })]);
        return rows.length > 0;
      },
      async finish({ key, token }, response, retentionMs) {
        const [rows] = await database.write([
          queries.finish({ slot: slotOf(key), token, response, ttlMs: retentionMs }),
        ]);
        return rows.length > 0;
      },
      async release({ key, token }) {
        await database.write([queries.release({ slot: slotOf(key), token })]);
      },
    };
  };
}

interface ClaimRow {
  readonly fingerprint: StoredText;
  readonly status: number | null;
  readonly content_type: StoredText | null;
  readonly body: StoredText | null;
}

function claimOf({ fingerprint, status, content_type, body }: ClaimRow, requestFingerprint: string): Claim {
  if (fromStored(fingerprint) !== requestFingerprint) return { state: 'key_reused' };
  if (status === null || content_type === null || body === null) return { state: 'in_progress' };
  return { state: 'completed', response: { status, contentType: fromStored(content_type), body: fromStored(body) } };
}

interface ClaimValues extends Held {
  readonly fingerprint: StoredText;
  readonly ttlMs: number;
}

interface Held {
  readonly slot: string;
  readonly token: string;
}

/** The claim was not taken over and has no response yet. */
const isHeld = (slot: Slots<Held>) =>
  sql<boolean>`slot = ${slot('slot')} and token = ${slot('token')} and status is null`;

function idempotencyQueries(db: QueryBuilder) {
  const clock = databaseClock(db);
  const until = (slot: Slots<{ readonly ttlMs: number }>) => sql<number>`${clock} + ${slot('ttlMs')}`;
  return {
    claim: statement((slot: Slots<ClaimValues>) =>
      db
        .insertInto('idempotency')
        .values({
          slot: slot('slot'),
          token: slot('token'),
          fingerprint: slot('fingerprint'),
          until: until(slot),
          status: null,
          content_type: null,
          body: null,
        })
        .onConflict((conflict) =>
          conflict
            .column('slot')
            .doUpdateSet(({ ref }) => ({
              token: ref('excluded.token'),
              fingerprint: ref('excluded.fingerprint'),
              until: ref('excluded.until'),
              status: null,
              content_type: null,
              body: null,
            }))
            // The claim of a crashed server or an expired response.
            .where('idempotency.until', '<=', clock),
        )
        .returning('slot'),
    ),
    existing: statement((slot: Slots<{ readonly slot: string }>) =>
      db
        .selectFrom('idempotency')
        .select(['fingerprint', 'status', 'content_type', 'body'])
        .where('slot', '=', slot('slot')),
    ),
    renew: statement((slot: Slots<Held & { readonly ttlMs: number }>) =>
      db
        .updateTable('idempotency')
        .set({ until: until(slot) })
        .where(isHeld(slot))
        .returning('slot'),
    ),
    finish: statement((slot: Slots<Held & { readonly response: CachedResponse; readonly ttlMs: number }>) =>
      db
        .updateTable('idempotency')
        .set({
          status: slot(({ response }) => response.status),
          content_type: slot(({ response }) => toStored(response.contentType)),
          body: slot(({ response }) => toStored(response.body)),
          until: until(slot),
        })
        .where(isHeld(slot))
        .returning('slot'),
    ),
    release: statement((slot: Slots<Held>) => db.deleteFrom('idempotency').where(isHeld(slot))),
  };
}
