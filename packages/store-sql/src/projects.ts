import type { Selectable } from 'kysely';
import type { AccessLimits, ProjectRecord } from '@modelwire/ports';
import { limitValues } from './key-queries.ts';
import type { LimitColumns } from './key-queries.ts';
import type { QueryBuilder } from './query-builder.ts';
import { statement } from './statement.ts';
import type { Slots } from './statement.ts';
import type { ProjectTable } from './tables.ts';
import { fromStored, toStored } from './text.ts';
import type { StoredText } from './text.ts';

const columns = [
  'projects.id',
  'projects.name',
  'projects.created',
  'projects.archived',
  'projects.requests_per_minute',
  'projects.tokens_per_minute',
  'projects.allowed_models',
  'projects.max_output_tokens',
  'projects.storage_limit_bytes',
] as const;

export function projectQueries(db: QueryBuilder) {
  return {
    columns,
    add: statement((slot: Slots<ProjectRecord>) =>
      db
        .insertInto('projects')
        .values({
          id: slot(({ id }) => toStored(id)),
          name: slot(({ name }) => toStored(name)),
          created: slot('created'),
          archived: slot('archived'),
          ...limitValues(slot),
          storage_limit_bytes: slot('storageLimitBytes'),
        })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .returning('id'),
    ),
    /** Stores the project of a new key where that is new. */
    ensure: statement((slot: Slots<{ readonly id: string; readonly created: number }>) =>
      db
        .insertInto('projects')
        .values({
          id: slot(({ id }) => toStored(id)),
          name: slot(({ id }) => toStored(id)),
          created: slot('created'),
          archived: null,
          requests_per_minute: null,
          tokens_per_minute: null,
          allowed_models: null,
          max_output_tokens: null,
          storage_limit_bytes: null,
        })
        .onConflict((conflict) => conflict.column('id').doNothing()),
    ),
    get: statement((slot: Slots<{ readonly id: StoredText }>) =>
      db.selectFrom('projects').select(columns).where('projects.id', '=', slot('id')),
    ),
    list: statement(() => db.selectFrom('projects').select(columns).orderBy('projects.id')),
    archive: statement((slot: Slots<{ readonly id: StoredText; readonly at: number }>) =>
      db
        .updateTable('projects')
        .set(({ fn, val }) => ({ archived: fn.coalesce('projects.archived', val(slot('at'))) }))
        .where('projects.id', '=', slot('id'))
        .returning(columns),
    ),
  };
}

export function projectOf(row: Selectable<ProjectTable>): ProjectRecord {
  const id = fromStored(row.id);
  return {
    id,
    // A server of an earlier version stores none.
    name: row.name === '' ? id : fromStored(row.name),
    created: row.created,
    archived: row.archived,
    storageLimitBytes: row.storage_limit_bytes,
    ...limitsOf(row),
  };
}

export function limitsOf(row: LimitColumns): AccessLimits {
  return {
    requestsPerMinute: row.requests_per_minute,
    tokensPerMinute: row.tokens_per_minute,
    // What `limitValues` or `limitColumns` wrote.
    allowedModels: row.allowed_models === null ? null : (JSON.parse(row.allowed_models) as readonly string[]),
    maxOutputTokens: row.max_output_tokens,
  };
}
