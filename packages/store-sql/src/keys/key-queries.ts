import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import { keyRoles } from '@modelwire/ports';
import type { KeyRecord, KeyRole } from '@modelwire/ports';
import type { QueryBuilder } from '../query/query-builder.ts';
import { nullable, plain, recordCodec, text } from '../query/record-codec.ts';
import { insertRow } from '../query/rows.ts';
import type { Tables } from '../schema/tables.ts';
import { statement } from '../query/statement.ts';
import type { Slots } from '../query/statement.ts';
import type { StoredText } from '../query/text.ts';

/** Fields of keys and projects. */
export const limitFields = {
  requestsPerMinute: plain('requests_per_minute'),
  tokensPerMinute: plain('tokens_per_minute'),
  allowedModels: nullable({
    column: 'allowed_models',
    // JSON escapes the characters that databases refuse.
    store: (models: readonly string[]) => JSON.stringify(models),
    load: (stored) => JSON.parse(stored) as readonly string[],
  }),
  maxOutputTokens: plain('max_output_tokens'),
} as const;

export const keyCodec = recordCodec<Selectable<Tables['keys']>, KeyRecord>()({
  id: text('id'),
  hash: text('hash'),
  project: text('project_id'),
  role: { column: 'role', store: (role) => role, load: roleOf },
  name: text('name'),
  hint: text('hint'),
  created: plain('created_at'),
  expires: plain('expires_at'),
  revoked: plain('revoked_at'),
  lastUsed: plain('last_used_at'),
  ...limitFields,
});

/** Prefixed, because of the project that is joined. */
export const keyColumns = keyCodec.columns.map((column) => `keys.${column}` as const);

function roleOf(text: string): KeyRole {
  const role = keyRoles.find((one) => one === text);
  if (!role) throw new TypeError('A key has a role that this program does not support. Run a newer version.');
  return role;
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
