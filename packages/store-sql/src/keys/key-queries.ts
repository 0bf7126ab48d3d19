import { sql } from 'kysely';
import type { AccessLimits } from '@modelwire/ports';
import type { QueryBuilder } from '../query/query-builder.ts';
import { insertRow } from '../query/rows.ts';
import type { LimitColumns } from '../schema/tables.ts';
import { statement } from '../query/statement.ts';
import type { Slots } from '../query/statement.ts';
import type { StoredText } from '../query/text.ts';

export const keyColumns = [
  'keys.id',
  'keys.hash',
  'keys.project_id',
  'keys.role',
  'keys.name',
  'keys.hint',
  'keys.created_at',
  'keys.expires_at',
  'keys.revoked_at',
  'keys.last_used_at',
  'keys.requests_per_minute',
  'keys.tokens_per_minute',
  'keys.allowed_models',
  'keys.max_output_tokens',
] as const;

/** The columns of those limits that are given. */
export function limitColumns(limits: Partial<AccessLimits>): Partial<LimitColumns> {
  const { requestsPerMinute, tokensPerMinute, allowedModels, maxOutputTokens } = limits;
  return {
    ...(requestsPerMinute !== undefined && { requests_per_minute: requestsPerMinute }),
    ...(tokensPerMinute !== undefined && { tokens_per_minute: tokensPerMinute }),
    // JSON escapes the characters that databases refuse.
    ...(allowedModels !== undefined && { allowed_models: allowedModels && JSON.stringify(allowedModels) }),
    ...(maxOutputTokens !== undefined && { max_output_tokens: maxOutputTokens }),
  };
}

export function limitsOf(row: LimitColumns): AccessLimits {
  return {
    requestsPerMinute: row.requests_per_minute,
    tokensPerMinute: row.tokens_per_minute,
    // What `limitColumns` wrote.
    allowedModels: row.allowed_models === null ? null : (JSON.parse(row.allowed_models) as readonly string[]),
    maxOutputTokens: row.max_output_tokens,
  };
}

export type FoundKeyRow = NonNullable<ReturnType<ReturnType<typeof keyQueries>['find']>['row']>;

export function keyQueries(db: QueryBuilder) {
  const find = () =>
    db
      .selectFrom('keys')
      .leftJoin('projects', 'projects.id', 'keys.project_id')
      .select([
        ...keyColumns,
        'keys.previous_valid_until',
        'projects.id as project_row',
        'projects.name as project_name',
        'projects.created_at as project_created',
        'projects.archived_at as project_archived',
        'projects.requests_per_minute as project_requests',
        'projects.tokens_per_minute as project_tokens',
        'projects.allowed_models as project_models',
        'projects.max_output_tokens as project_output',
        'projects.storage_limit_bytes as project_storage',
      ]);
  return {
    add: insertRow(db, 'keys'),
    /** Two lookups by index: of the current secret, and of the one before the last rotation. */
    find: statement((slot: Slots<{ readonly hash: StoredText }>) =>
      find()
        .where('keys.hash', '=', slot('hash'))
        .unionAll(find().where('keys.previous_hash', '=', slot('hash'))),
    ),
    get: statement((slot: Slots<{ readonly id: StoredText }>) =>
      db.selectFrom('keys').select(keyColumns).where('keys.id', '=', slot('id')),
    ),
    list: statement((slot: Slots<{ readonly project: StoredText }>) =>
      db.selectFrom('keys').select(keyColumns).where('keys.project_id', '=', slot('project')).orderBy('keys.seq'),
    ),
    listAll: statement(() => db.selectFrom('keys').select(keyColumns).orderBy('keys.seq')),
    recordUse: statement((slot: Slots<{ readonly id: StoredText; readonly at: number }>) =>
      db
        .updateTable('keys')
        .set({ last_used_at: slot('at') })
        .where('keys.id', '=', slot('id'))
        .where(sql<boolean>`coalesce(last_used_at, 0) < ${slot('at')}`),
    ),
  };
}
