import type { AuditEntry, KeyStore } from '@modelwire/ports';
import { auditStatements } from './audit.ts';
import { changeListeners } from './change-listeners.ts';
import type { SqlDatabase } from '../database/database.ts';
import { keyCodec, keyColumns, keyQueries } from './key-queries.ts';
import type { FoundKeyRow } from './key-queries.ts';
import { projectCodec, projectQueries } from './projects.ts';
import type { QueryBuilder } from '../query/query-builder.ts';
import { compileOnce } from '../query/statement.ts';
import type { Statement } from '../query/statement.ts';
import { storedBytesQuery } from '../files/storage.ts';
import { fromStored, toStored } from '../query/text.ts';
import { commit, expectRows, markAsFreeingSpace, transaction } from '../database/transaction.ts';

export function keyStore(database: SqlDatabase, db: QueryBuilder): KeyStore {
  const queries = keyQueries(db);
  const projects = projectQueries(db);
  const storedBytes = storedBytesQuery(db);
  const audited = auditStatements(db);
  const { onChange, changed } = changeListeners();
  const updateKey = (id: string) => db.updateTable('keys').where('keys.id', '=', toStored(id)).returning(keyColumns);
  const updateOfProject = (id: string) =>
    db.updateTable('projects').where('projects.id', '=', toStored(id)).returning(projectCodec.columns);
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
    async add(key, audit) {
      await database.write([
        queries.add(keyCodec.toRow(key)),
        projects.ensure(key.project, key.created),
        ...audited(audit),
      ]);
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
      return row && keyCodec.fromRow(row);
    },
    async list(project) {
      const rows = await database.scan(
        project === undefined ? queries.listAll({}) : queries.list({ project: toStored(project) }),
      );
      return rows.map(keyCodec.fromRow);
    },
    async update(id, changes, audit) {
      const update = updateKey(id).set(({ ref }) => ({ name: ref('keys.name'), ...keyCodec.changesOf(changes) }));
      return change(compileOnce(update), audit, keyCodec.fromRow);
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
      return change(compileOnce(update), audit, keyCodec.fromRow);
    },
    async revoke(id, at, audit) {
      const update = updateKey(id).set(({ fn, val }) => ({ revoked_at: fn.coalesce('keys.revoked_at', val(at)) }));
      return change(markAsFreeingSpace(compileOnce(update)), audit, keyCodec.fromRow);
    },
    async recordUse(uses) {
      if (uses.length === 0) return;
      // In the same order everywhere: replicas that lock the same rows in different orders would deadlock.
      const ordered = uses.toSorted((a, b) => (a.id < b.id ? -1 : Number(a.id > b.id)));
      await database.write(ordered.map(({ id, at }) => queries.recordUse({ id: toStored(id), at })));
    },
    async addProject(project, audit) {
      const added = await commit(database, [expectRows(1, 'the id is free', projects.add(project)), ...audited(audit)]);
      await changed();
      return added;
    },
    async getProject(id) {
      const [row] = await database.read(projects.get({ id: toStored(id) }));
      return row && projectCodec.fromRow(row);
    },
    async listProjects() {
      return (await database.scan(projects.list({}))).map(projectCodec.fromRow);
    },
    async updateProject(id, changes, audit) {
      const update = updateOfProject(id).set(({ ref }) => ({
        name: ref('projects.name'),
        ...projectCodec.changesOf(changes),
      }));
      return change(compileOnce(update), audit, projectCodec.fromRow);
    },
    async archiveProject(id, at, audit) {
      const update = updateOfProject(id).set(({ fn, val }) => ({
        archived_at: fn.coalesce('projects.archived_at', val(at)),
      }));
      return change(compileOnce(update), audit, projectCodec.fromRow);
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
    key: keyCodec.fromRow(row),
    project:
      id === null
        ? undefined
        : projectCodec.fromRow({
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
