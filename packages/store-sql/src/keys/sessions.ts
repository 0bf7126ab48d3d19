import type { SessionRecord, SessionStore } from '@modelwire/ports';
import type { Selectable } from 'kysely';
import type { SqlDatabase } from '../database/database.ts';
import type { QueryBuilder } from '../query/query-builder.ts';
import { insertRow } from '../query/rows.ts';
import type { ConsoleSessionTable } from '../schema/tables.ts';
import { statement } from '../query/statement.ts';
import type { Slots } from '../query/statement.ts';
import { markAsFreeingSpace } from '../database/transaction.ts';

const columns = ['token_hash', 'kind', 'key_hash', 'created_at', 'expires_at'] as const;

export function sessionStore(database: SqlDatabase, db: QueryBuilder): SessionStore {
  const queries = sessionQueries(db);
  return {
    async add({ hash, kind, keyHash, created, expires }) {
      const row = { token_hash: hash, kind, key_hash: keyHash, created_at: created, expires_at: expires };
      await database.write([queries.add(row)]);
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

function sessionQueries(db: QueryBuilder) {
  return {
    add: insertRow(db, 'console_sessions'),
    find: statement((slot: Slots<{ readonly hash: string }>) =>
      db.selectFrom('console_sessions').select(columns).where('token_hash', '=', slot('hash')),
    ),
    extend: statement((slot: Slots<{ readonly hash: string; readonly expires: number }>) =>
      db
        .updateTable('console_sessions')
        .set({ expires_at: slot('expires') })
        .where('token_hash', '=', slot('hash')),
    ),
    take: statement((slot: Slots<{ readonly hash: string }>) =>
      db.deleteFrom('console_sessions').where('token_hash', '=', slot('hash')).returning(columns),
    ),
  };
}

function sessionOf(row: Selectable<ConsoleSessionTable>): SessionRecord {
  return {
    hash: row.token_hash,
    kind: row.kind,
    keyHash: row.key_hash,
    created: row.created_at,
    expires: row.expires_at,
  };
}
