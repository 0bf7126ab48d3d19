import { sql } from 'kysely';
import type { AccessLimits, KeyRecord } from '@modelwire/ports';
import type { QueryBuilder } from './query-builder.ts';
import { statement } from './statement.ts';
import type { Slots } from './statement.ts';
import { toStored } from './text.ts';
import type { StoredText } from './text.ts';

const columns = [
  'keys.id',
  'keys.hash',
  'keys.project',
  'keys.role',
  'keys.name',
  'keys.hint',
  'keys.created',
  'keys.expires',
  'keys.revoked',
  'keys.last_used',
  'keys.requests_per_minute',
  'keys.tokens_per_minute',
  'keys.allowed_models',
  'keys.max_output_tokens',
] as const;

/** Columns that keys and projects have in common. */
export interface LimitColumns {
  readonly requests_per_minute: number | null;
  readonly tokens_per_minute: number | null;
  readonly allowed_models: string | null;
  readonly max_output_tokens: number | null;
}

/** The columns of those limits that are given. */
export function limitColumns(limits: Partial<AccessLimits>): Partial<LimitColumns> {
  const { requestsPerMinute, tokensPerMinute, allowedModels, maxOutputTokens } = limits;
  return {
    ...(requestsPerMinute !== undefined && { requests_per_minute: requestsPerMinute }),
    ...(tokensPerMinute !== undefined && { tokens_per_minute: tokensPerMinute }),
    ...(allowedModels !== undefined && { allowed_models: storedModels(allowedModels) }),
    ...(maxOutputTokens !== undefined && { max_output_tokens: maxOutputTokens }),
  };
}

/** The columns of the limits of a new key or project. */
export const limitValues = (slot: Slots<AccessLimits>) => ({
  requests_per_minute: slot('requestsPerMinute'),
  tokens_per_minute: slot('tokensPerMinute'),
  allowed_models: slot(({ allowedModels }) => storedModels(allowedModels)),
  max_output_tokens: slot('maxOutputTokens'),
});

/** JSON escapes the characters that databases refuse. */
const storedModels = (models: readonly string[] | null): string | null =>
  models === null ? null : JSON.stringify(models);

export type FoundKeyRow = NonNullable<ReturnType<ReturnType<typeof keyQueries>['find']>['row']>;

export function keyQueries(db: QueryBuilder) {
  const find = () =>
    db
      .selectFrom('keys')
      .leftJoin('projects', 'projects.id', 'keys.project')
      .select([
        ...columns,
        'keys.previous_valid_until',
        'projects.id as project_row',
        'projects.name as project_name',
        'projects.created as project_created',
        'projects.archived as project_archived',
        'projects.requests_per_minute as project_requests',
        'projects.tokens_per_minute as project_tokens',
        'projects.allowed_models as project_models',
        'projects.max_output_tokens as project_output',
        'projects.storage_limit_bytes as project_storage',
      ]);
  return {
    columns,
    add: statement((slot: Slots<KeyRecord>) =>
      db.insertInto('keys').values({
        id: slot(({ id }) => toStored(id)),
        hash: slot(({ hash }) => toStored(hash)),
        project: slot(({ project }) => toStored(project)),
        role: slot('role'),
        name: slot(({ name }) => toStored(name)),
        hint: slot(({ hint }) => toStored(hint)),
        created: slot('created'),
        expires: slot('expires'),
        revoked: slot('revoked'),
        last_used: slot('lastUsed'),
        ...limitValues(slot),
        previous_hash: null,
        previous_valid_until: null,
      }),
    ),
    /** Two lookups by index: of the current secret, and of the one before the last rotation. */
    find: statement((slot: Slots<{ readonly hash: StoredText }>) => {
      const hash = slot(({ hash: given }) => given);
      return find()
        .where('keys.hash', '=', hash)
        .unionAll(find().where('keys.previous_hash', '=', hash));
    }),
    get: statement((slot: Slots<{ readonly id: StoredText }>) =>
      db.selectFrom('keys').select(columns).where('keys.id', '=', slot('id')),
    ),
    list: statement((slot: Slots<{ readonly project: StoredText }>) =>
      db.selectFrom('keys').select(columns).where('keys.project', '=', slot('project')).orderBy('keys.seq'),
    ),
    listAll: statement(() => db.selectFrom('keys').select(columns).orderBy('keys.seq')),
    rotate: statement(
      (
        slot: Slots<{
          readonly id: StoredText;
          readonly hash: string;
          readonly hint: string;
          readonly previousValidUntil: number;
          readonly unlessPreviousValidAt?: number | undefined;
        }>,
        { unlessPreviousValidAt },
      ) => {
        const update = db
          .updateTable('keys')
          .set(({ ref }) => ({
            previous_hash: ref('keys.hash'),
            previous_valid_until: slot('previousValidUntil'),
            hash: slot(({ hash }) => toStored(hash)),
            hint: slot(({ hint }) => toStored(hint)),
          }))
          .where('keys.id', '=', slot('id'))
          .returning(columns);
        if (unlessPreviousValidAt === undefined) return update;
        const at = slot((values) => values.unlessPreviousValidAt ?? 0);
        return update.where(sql<boolean>`coalesce(keys.previous_valid_until, 0) <= ${at}`);
      },
      ({ unlessPreviousValidAt }) => String(unlessPreviousValidAt === undefined),
    ),
    revoke: statement((slot: Slots<{ readonly id: StoredText; readonly at: number }>) =>
      db
        .updateTable('keys')
        .set(({ fn, val }) => ({ revoked: fn.coalesce('keys.revoked', val(slot('at'))) }))
        .where('keys.id', '=', slot('id'))
        .returning(columns),
    ),
    recordUse: statement((slot: Slots<{ readonly id: StoredText; readonly at: number }>) => {
      const at = slot('at');
      return db
        .updateTable('keys')
        .set({ last_used: at })
        .where('keys.id', '=', slot('id'))
        .where(sql<boolean>`coalesce(last_used, 0) < ${at}`);
    }),
  };
}
