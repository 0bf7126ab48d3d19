import type { Selectable } from 'kysely';
import { keyRoles } from '@modelwire/ports';
import type { KeyRecord, KeyRole, KeyStore, ProjectRecord } from '@modelwire/ports';
import type { SqlDatabase } from './database.ts';
import type { QueryBuilder } from './query-builder.ts';
import { statement } from './statement.ts';
import type { Slots } from './statement.ts';
import type { KeyTable } from './tables.ts';
import { fromStored, toStored } from './text.ts';
import { markAsFreeingSpace } from './transaction.ts';
import type { StoredText } from './text.ts';

type KeyRow = Omit<Selectable<KeyTable>, 'seq'>;

const keyColumns = [
  'keys.id',
  'keys.hash',
  'keys.project',
  'keys.role',
  'keys.name',
  'keys.hint',
  'keys.created',
  'keys.expires',
  'keys.revoked',
  'keys.requests_per_minute',
  'keys.tokens_per_minute',
] as const;

export function keyStore(database: SqlDatabase, db: QueryBuilder): KeyStore {
  const queries = keyQueries(db);
  const listeners: (() => void)[] = [];
  function changed(): void {
    for (const listener of listeners) listener();
  }
  return {
    async add(key) {
      await database.write([queries.add(key)]);
      changed();
    },
    async findByHash(hash) {
      const [row] = await database.read(queries.find({ hash: toStored(hash) }));
      if (!row) return undefined;
      const { project_id, project_requests, project_tokens } = row;
      const project: ProjectRecord | undefined =
        project_id === null
          ? undefined
          : { id: fromStored(project_id), requestsPerMinute: project_requests, tokensPerMinute: project_tokens };
      return { key: keyOf(row), project };
    },
    async list(project) {
      const rows = await database.scan(
        project === undefined ? queries.listAll({}) : queries.list({ project: toStored(project) }),
      );
      return rows.map(keyOf);
    },
    async revoke(id, at) {
      const [[row]] = await database.write([markAsFreeingSpace(queries.revoke({ id: toStored(id), at }))]);
      changed();
      return row && keyOf(row);
    },
    async setProject(project) {
      await database.write([queries.setProject(project)]);
      changed();
    },
    onChange: (listener) => void listeners.push(listener),
  };
}

function keyQueries(db: QueryBuilder) {
  return {
    add: statement((slot: Slots<KeyRecord>) =>
      db.insertInto('keys').values({
        id: slot(({ id }) => toStored(id)),
        hash: slot(({ hash }) => toStored(hash)),
        project: slot(({ project }) => toStored(project)),
        role: slot(({ role }) => role),
        name: slot(({ name }) => toStored(name)),
        hint: slot(({ hint }) => toStored(hint)),
        created: slot(({ created }) => created),
        expires: slot(({ expires }) => expires),
        revoked: slot(({ revoked }) => revoked),
        requests_per_minute: slot(({ requestsPerMinute }) => requestsPerMinute),
        tokens_per_minute: slot(({ tokensPerMinute }) => tokensPerMinute),
      }),
    ),
    find: statement((slot: Slots<{ readonly hash: StoredText }>) =>
      db
        .selectFrom('keys')
        .leftJoin('projects', 'projects.id', 'keys.project')
        .select([
          ...keyColumns,
          'projects.id as project_id',
          'projects.requests_per_minute as project_requests',
          'projects.tokens_per_minute as project_tokens',
        ])
        .where(
          'keys.hash',
          '=',
          slot(({ hash }) => hash),
        ),
    ),
    list: statement((slot: Slots<{ readonly project: StoredText }>) =>
      db
        .selectFrom('keys')
        .select(keyColumns)
        .where(
          'keys.project',
          '=',
          slot(({ project }) => project),
        )
        .orderBy('keys.seq'),
    ),
    listAll: statement(() => db.selectFrom('keys').select(keyColumns).orderBy('keys.seq')),
    revoke: statement((slot: Slots<{ readonly id: StoredText; readonly at: number }>) =>
      db
        .updateTable('keys')
        .set(({ fn, val }) => ({ revoked: fn.coalesce('keys.revoked', val(slot(({ at }) => at))) }))
        .where(
          'keys.id',
          '=',
          slot(({ id }) => id),
        )
        .returning(keyColumns),
    ),
    setProject: statement((slot: Slots<ProjectRecord>) =>
      db
        .insertInto('projects')
        .values({
          id: slot(({ id }) => toStored(id)),
          requests_per_minute: slot(({ requestsPerMinute }) => requestsPerMinute),
          tokens_per_minute: slot(({ tokensPerMinute }) => tokensPerMinute),
        })
        .onConflict((conflict) =>
          conflict.column('id').doUpdateSet(({ ref }) => ({
            requests_per_minute: ref('excluded.requests_per_minute'),
            tokens_per_minute: ref('excluded.tokens_per_minute'),
          })),
        ),
    ),
  };
}

function keyOf(row: KeyRow): KeyRecord {
  return {
    id: fromStored(row.id),
    hash: fromStored(row.hash),
    project: fromStored(row.project),
    role: roleOf(row.role),
    name: fromStored(row.name),
    hint: fromStored(row.hint),
    created: row.created,
    expires: row.expires,
    revoked: row.revoked,
    requestsPerMinute: row.requests_per_minute,
    tokensPerMinute: row.tokens_per_minute,
  };
}

function roleOf(text: string): KeyRole {
  const role = keyRoles.find((one) => one === text);
  if (!role) throw new TypeError('A key has a role that this program does not support. Run a newer version.');
  return role;
}
