import type { Selectable } from 'kysely';
import { keyRoles } from '@modelwire/ports';
import type { AuditEntry, KeyRecord, KeyRole, KeyStore } from '@modelwire/ports';
import { auditStatements } from './audit.ts';
import { changeListeners } from './change-listeners.ts';
import type { SqlDatabase } from '../database/database.ts';
import { keyColumns, keyQueries, limitColumns, limitsOf } from './key-queries.ts';
import type { FoundKeyRow } from './key-queries.ts';
import { projectColumns, projectOf, projectQueries } from './projects.ts';
import type { QueryBuilder } from '../query/query-builder.ts';
import { compileOnce } from '../query/statement.ts';
import type { Statement } from '../query/statement.ts';
import { storedBytesQuery } from '../files/storage.ts';
import type { KeyTable } from '../schema/tables.ts';
import { fromStored, toStored } from '../query/text.ts';
import { expectRows, markAsFreeingSpace, transaction } from '../database/transaction.ts';

type KeyRow = Omit<Selectable<KeyTable>, 'seq' | 'previous_hash' | 'previous_valid_until'>;

export function keyStore(database: SqlDatabase, db: QueryBuilder): KeyStore {
  const queries = keyQueries(db);
  const projects = projectQueries(db);
  const storedBytes = storedBytesQuery(db);
  const audited = auditStatements(db);
  const { onChange, changed } = changeListeners();
  const updateKey = (id: string) => db.updateTable('keys').where('keys.id', '=', toStored(id)).returning(keyColumns);
  const updateOfProject = (id: string) =>
    db.updateTable('projects').where('projects.id', '=', toStored(id)).returning(projectColumns);
  /** Runs a statement that returns one row, with its entry in the audit log; neither when there is no such row. */
  async function change<Row, Changed>(
    query: Statement<Row>,
    audit: AuditEntry | undefined,
    recordOf: (row: Row) => Changed,
  ): Promise<Changed | undefined> {
    const done = await transaction(database, [expectRows(1, 'the record exists', query), ...audited(audit)]);
    await changed();
    const row = done?.[0][0];
    return row && recordOf(row);
  }
  return {
    async add({ id, hash, project, role, name, hint, created, expires, revoked, lastUsed, ...limits }, audit) {
      const row = {
        id: toStored(id),
        hash: toStored(hash),
        project_id: toStored(project),
        role,
        name: toStored(name),
        hint: toStored(hint),
        created_at: created,
        expires_at: expires,
        revoked_at: revoked,
        last_used_at: lastUsed,
        ...limitColumns(limits),
      };
      await database.write([queries.add(row), projects.ensure(project, created), ...audited(audit)]);
      await changed();
    },
    async findByHash(hash) {
      const rows = await database.read(queries.find({ hash: toStored(hash) }));
      // The current secret of one key cannot be the previous one of another, but each row is checked.
      const row = rows.find((candidate) => fromStored(candidate.hash) === hash) ?? rows[0];
      return row && toFoundKey(row, hash);
    },
    async get(id) {
      const [row] = await database.read(queries.get({ id: toStored(id) }));
      return row && keyOf(row);
    },
    async list(project) {
      const rows = await database.scan(
        project === undefined ? queries.listAll({}) : queries.list({ project: toStored(project) }),
      );
      return rows.map(keyOf);
    },
    async update(id, { name, role, expires, ...limits }, audit) {
      const update = updateKey(id).set(({ ref }) => ({
        name: name === undefined ? ref('keys.name') : toStored(name),
        ...(role !== undefined && { role }),
        ...(expires !== undefined && { expires_at: expires }),
        ...limitColumns(limits),
      }));
      return change(compileOnce(update), audit, keyOf);
    },
    async rotate(id, { hash, hint, previousValidUntil, unlessPreviousValidAt = Number.MAX_SAFE_INTEGER }, audit) {
      const update = updateKey(id)
        .set(({ ref }) => ({
          previous_hash: ref('keys.hash'),
          previous_valid_until: previousValidUntil,
          hash: toStored(hash),
          hint: toStored(hint),
        }))
        .where(({ eb, fn, lit }) => eb(fn.coalesce('keys.previous_valid_until', lit(0)), '<=', unlessPreviousValidAt));
      return change(compileOnce(update), audit, keyOf);
    },
    async revoke(id, at, audit) {
      const update = updateKey(id).set(({ fn, val }) => ({ revoked_at: fn.coalesce('keys.revoked_at', val(at)) }));
      return change(markAsFreeingSpace(compileOnce(update)), audit, keyOf);
    },
    async recordUse(uses) {
      if (uses.length === 0) return;
      // In the same order everywhere: replicas that lock the same rows in different orders would deadlock.
      const ordered = uses.toSorted((a, b) => (a.id < b.id ? -1 : Number(a.id > b.id)));
      await database.write(ordered.map(({ id, at }) => queries.recordUse({ id: toStored(id), at })));
    },
    async addProject(project, audit) {
      const added = await transaction(database, [
        expectRows(1, 'the id is free', projects.add(project)),
        ...audited(audit),
      ]);
      await changed();
      return added !== undefined;
    },
    async getProject(id) {
      const [row] = await database.read(projects.get({ id: toStored(id) }));
      return row && projectOf(row);
    },
    async listProjects() {
      return (await database.scan(projects.list({}))).map(projectOf);
    },
    async updateProject(id, { name, storageLimitBytes, ...limits }, audit) {
      const update = updateOfProject(id).set(({ ref }) => ({
        name: name === undefined ? ref('projects.name') : toStored(name),
        ...(storageLimitBytes !== undefined && { storage_limit_bytes: storageLimitBytes }),
        ...limitColumns(limits),
      }));
      return change(compileOnce(update), audit, projectOf);
    },
    async archiveProject(id, at, audit) {
      const update = updateOfProject(id).set(({ fn, val }) => ({
        archived_at: fn.coalesce('projects.archived_at', val(at)),
      }));
      return change(compileOnce(update), audit, projectOf);
    },
    async storageBytes(project) {
      const [row] = await database.scan(storedBytes({ project: toStored(project) }));
      return row?.bytes ?? 0;
    },
    onChange,
  };
}

function toFoundKey(row: FoundKeyRow, hash: string): Awaited<ReturnType<KeyStore['findByHash']>> {
  const { project_row: id } = row;
  return {
    key: keyOf(row),
    project:
      id === null
        ? undefined
        : projectOf({
            id,
            name: row.project_name ?? id,
            created_at: row.project_created ?? 0,
            archived_at: row.project_archived,
            requests_per_minute: row.project_requests,
            tokens_per_minute: row.project_tokens,
            allowed_models: row.project_models,
            max_output_tokens: row.project_output,
            storage_limit_bytes: row.project_storage,
          }),
    ...(fromStored(row.hash) !== hash && { validUntil: row.previous_valid_until ?? 0 }),
  };
}

function keyOf(row: KeyRow): KeyRecord {
  return {
    id: fromStored(row.id),
    hash: fromStored(row.hash),
    project: fromStored(row.project_id),
    role: roleOf(row.role),
    name: fromStored(row.name),
    hint: fromStored(row.hint),
    created: row.created_at,
    expires: row.expires_at,
    revoked: row.revoked_at,
    lastUsed: row.last_used_at,
    ...limitsOf(row),
  };
}

function roleOf(text: string): KeyRole {
  const role = keyRoles.find((one) => one === text);
  if (!role) throw new TypeError('A key has a role that this program does not support. Run a newer version.');
  return role;
}
