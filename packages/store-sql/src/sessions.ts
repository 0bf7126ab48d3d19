import type { SessionRecord, SessionStore } from '@modelwire/ports';
import type { Selectable } from 'kysely';
import type { SqlDatabase } from './database.ts';
import type { QueryBuilder } from './query-builder.ts';
import { statement } from './statement.ts';
import type { Slots, Statement } from './statement.ts';
import type { SessionTable } from './tables.ts';
import { markAsFreeingSpace } from './transaction.ts';

const columns = ['hash', 'kind', 'key_hash', 'created', 'expires'] as const;

export function sessionStore(database: SqlDatabase, db: QueryBuilder): SessionStore {
  const queries = sessionQueries(db);
  return {
    async add(session) {
      await database.write([queries.add(session)]);
    },
    async find(hash) {
      const [row] = await database.read(queries.find({ hash }));
      return row && sessionOf(row);
    },
    async extend(hash, expires) {
      await database.write([queries.extend({ hash, expires })]);
    },
    async consume(hash) {
      const [[row]] = await database.write([markAsFreeingSpace(queries.take({ hash }))]);
      return row && sessionOf(row);
    },
  };
}

/** Deletes sessions and codes that expired by `now` (Unix seconds), the oldest first. */
export function deleteExpiredSessions(
  db: QueryBuilder,
): (init: { readonly now: number; readonly limit: number }) => Statement<{ hash: string }> {
  return statement((slot: Slots<{ readonly now: number; readonly limit: number }>) =>
    db
      .deleteFrom('sessions')
      .where('hash', 'in', (eb) =>
        eb
          .selectFrom('sessions as old')
          .select('old.hash')
          .where('old.expires', '<=', slot('now'))
          .orderBy('old.expires')
          .limit(slot('limit')),
      )
      .returning('hash'),
  );
}

function sessionQueries(db: QueryBuilder) {
  return {
    add: statement((slot: Slots<SessionRecord>) =>
      db.insertInto('sessions').values({
        hash: slot('hash'),
        kind: slot('kind'),
        key_hash: slot('keyHash'),
        created: slot('created'),
        expires: slot('expires'),
      }),
    ),
    find: statement((slot: Slots<{ readonly hash: string }>) =>
      db.selectFrom('sessions').select(columns).where('hash', '=', slot('hash')),
    ),
    extend: statement((slot: Slots<{ readonly hash: string; readonly expires: number }>) =>
      db
        .updateTable('sessions')
        .set({ expires: slot('expires') })
        .where('hash', '=', slot('hash')),
    ),
    take: statement((slot: Slots<{ readonly hash: string }>) =>
      db.deleteFrom('sessions').where('hash', '=', slot('hash')).returning(columns),
    ),
  };
}

function sessionOf({ key_hash, ...row }: Selectable<SessionTable>): SessionRecord {
  return { ...row, keyHash: key_hash };
}
