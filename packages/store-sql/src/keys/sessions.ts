import type { Person, SessionRecord, SessionStore } from '@modelwire/ports';
import type { Selectable } from 'kysely';
import type { SqlDatabase } from '../database/database.ts';
import type { QueryBuilder } from '../query/query-builder.ts';
import { auditStatements } from './audit.ts';
import { nullable, plain, recordCodec } from '../query/record-codec.ts';
import { insertRow } from '../query/rows.ts';
import type { Tables } from '../schema/tables.ts';
import { statement } from '../query/statement.ts';
import type { Slots } from '../query/statement.ts';
import { markAsFreeingSpace } from '../database/transaction.ts';

const { columns, toRow, fromRow } = recordCodec<Selectable<Tables['console_sessions']>, SessionRecord>()({
  hash: plain('token_hash'),
  kind: plain('kind'),
  keyHash: plain('key_hash'),
  person: nullable({ column: 'person', store: JSON.stringify, load: (stored: string) => JSON.parse(stored) as Person }),
  created: plain('created_at'),
  expires: plain('expires_at'),
});

export function sessionStore(database: SqlDatabase, db: QueryBuilder): SessionStore {
  const audited = auditStatements(db);
  const queries = sessionQueries(db);
  return {
    async add(session, audit) {
      await database.write([queries.add(toRow(session)), ...audited(audit)]);
    },
    async find(hash) {
      const [row] = await database.read(queries.find({ hash }));
      return row && fromRow(row);
    },
    async extend(hash, expires) {
      await database.write([queries.extend({ hash, expires })]);
    },
    async consume(hash) {
      const [[row]] = await database.write([markAsFreeingSpace(queries.take({ hash }))]);
      return row && fromRow(row);
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
