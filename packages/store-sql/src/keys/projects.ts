import type { Insertable, Selectable } from 'kysely';
import type { ProjectRecord } from '@modelwire/ports';
import { limitFields } from './key-queries.ts';
import type { QueryBuilder } from '../query/query-builder.ts';
import { plain, recordCodec, text } from '../query/record-codec.ts';
import type { Tables } from '../schema/tables.ts';
import { compileOnce, statement } from '../query/statement.ts';
import type { Slots } from '../query/statement.ts';
import { toStored } from '../query/text.ts';
import type { StoredText } from '../query/text.ts';

export const projectCodec = recordCodec<Selectable<Tables['projects']>, ProjectRecord>()({
  id: text('id'),
  name: text('name'),
  created: plain('created_at'),
  archived: plain('archived_at'),
  storageLimitBytes: plain('storage_limit_bytes'),
  ...limitFields,
});

export function projectQueries(db: QueryBuilder) {
  const add = (row: Insertable<Tables['projects']>) =>
    compileOnce(
      db
        .insertInto('projects')
        .values(row)
        .onConflict((conflict) => conflict.column('id').doNothing())
        .returning('id'),
    );
  return {
    /** Returns no row if there is a project of this ID. */
    add: (project: ProjectRecord) => add(projectCodec.toRow(project)),
    /** Stores the project of a new key where that is new. */
    ensure: (id: string, created: number) => add({ id: toStored(id), name: toStored(id), created_at: created }),
    get: statement((slot: Slots<{ readonly id: StoredText }>) =>
      db.selectFrom('projects').select(projectCodec.columns).where('projects.id', '=', slot('id')),
    ),
    list: statement(() => db.selectFrom('projects').select(projectCodec.columns).orderBy('projects.id')),
  };
}
