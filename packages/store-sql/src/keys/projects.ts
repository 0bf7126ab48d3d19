import type { Insertable, Selectable } from 'kysely';
import type { ProjectRecord } from '@modelwire/ports';
import { limitColumns, limitsOf } from './key-queries.ts';
import type { QueryBuilder } from '../query/query-builder.ts';
import type { ProjectTable } from '../schema/tables.ts';
import { compileOnce, statement } from '../query/statement.ts';
import type { Slots } from '../query/statement.ts';
import { fromStored, toStored } from '../query/text.ts';
import type { StoredText } from '../query/text.ts';

export const projectColumns = [
  'projects.id',
  'projects.name',
  'projects.created_at',
  'projects.archived_at',
  'projects.requests_per_minute',
  'projects.tokens_per_minute',
  'projects.allowed_models',
  'projects.max_output_tokens',
  'projects.storage_limit_bytes',
] as const;

export function projectQueries(db: QueryBuilder) {
  const add = (row: Insertable<ProjectTable>) =>
    compileOnce(
      db
        .insertInto('projects')
        .values(row)
        .onConflict((conflict) => conflict.column('id').doNothing())
        .returning('id'),
    );
  return {
    /** Returns no row if there is a project of this ID. */
    add: ({ id, name, created, archived, storageLimitBytes, ...limits }: ProjectRecord) =>
      add({
        id: toStored(id),
        name: toStored(name),
        created_at: created,
        archived_at: archived,
        storage_limit_bytes: storageLimitBytes,
        ...limitColumns(limits),
      }),
    /** Stores the project of a new key where that is new. */
    ensure: (id: string, created: number) => add({ id: toStored(id), name: toStored(id), created_at: created }),
    get: statement((slot: Slots<{ readonly id: StoredText }>) =>
      db.selectFrom('projects').select(projectColumns).where('projects.id', '=', slot('id')),
    ),
    list: statement(() => db.selectFrom('projects').select(projectColumns).orderBy('projects.id')),
  };
}

export function projectOf(row: Selectable<ProjectTable>): ProjectRecord {
  return {
    id: fromStored(row.id),
    name: fromStored(row.name),
    created: row.created_at,
    archived: row.archived_at,
    storageLimitBytes: row.storage_limit_bytes,
    ...limitsOf(row),
  };
}
