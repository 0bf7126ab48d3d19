import type { AuditLogType } from '@modelwire/schema/types';
import type { AuditEntry, AuditStore } from '@modelwire/ports';
import type { Selectable } from 'kysely';
import type { SqlDatabase } from '../database/database.ts';
import { pageOf } from '../query/pages.ts';
import type { QueryBuilder } from '../query/query-builder.ts';
import { compileOnce, statement } from '../query/statement.ts';
import type { Slots, Statement } from '../query/statement.ts';
import { insertRow } from '../query/rows.ts';
import type { AuditTable } from '../schema/tables.ts';
import { fromStored, toStored } from '../query/text.ts';
import type { StoredText } from '../query/text.ts';

export function auditStore(database: SqlDatabase, db: QueryBuilder): AuditStore {
  const position = statement((slot: Slots<{ readonly id: StoredText }>) =>
    db.selectFrom('audit_log').select('seq').where('id', '=', slot('id')),
  );
  return {
    async list({ after, limit, from, to, projects, types, actors, resources }) {
      // PostgreSQL rejects `in ()`.
      if ([projects, types, actors, resources].some((values) => values?.length === 0)) return pageOf([], limit);
      let query = db
        .selectFrom('audit_log')
        .select(['id', 'created_at', 'type', 'actor_key_id', 'project_id', 'resource_id', 'changes'])
        .orderBy('seq', 'desc')
        .limit(limit + 1);
      if (after !== undefined) {
        const [found] = await database.read(position({ id: toStored(after) }));
        if (!found) return undefined;
        query = query.where('seq', '<', found.seq);
      }
      if (from !== undefined) query = query.where('created_at', '>=', from);
      if (to !== undefined) query = query.where('created_at', '<', to);
      if (projects) query = query.where('project_id', 'in', projects.map(toStored));
      if (types) query = query.where('type', 'in', types.map(toStored));
      if (actors) query = query.where('actor_key_id', 'in', actors.map(toStored));
      if (resources) query = query.where('resource_id', 'in', resources.map(toStored));
      const rows = await database.scan(compileOnce(query));
      return pageOf(rows.map(entryOf), limit);
    },
  };
}

/** The statement that appends an audit log entry, if there is one, in the transaction of its change. */
export function auditStatements(db: QueryBuilder): (entry: AuditEntry | undefined) => readonly Statement<unknown>[] {
  const append = insertRow(db, 'audit_log');
  return (entry) =>
    entry === undefined
      ? []
      : [
          append({
            id: toStored(entry.id),
            created_at: entry.at,
            type: toStored(entry.type),
            actor_key_id: entry.actor === null ? null : toStored(entry.actor),
            project_id: entry.project === null ? null : toStored(entry.project),
            resource_id: toStored(entry.resource),
            changes: JSON.stringify(entry.changes),
          }),
        ];
}

function entryOf(row: Omit<Selectable<AuditTable>, 'seq'>): AuditEntry {
  return {
    id: fromStored(row.id),
    at: row.created_at,
    // What `append` wrote, as below.
    type: fromStored(row.type) as AuditLogType,
    actor: row.actor_key_id === null ? null : fromStored(row.actor_key_id),
    project: row.project_id === null ? null : fromStored(row.project_id),
    resource: fromStored(row.resource_id),
    changes: JSON.parse(row.changes) as Readonly<Record<string, unknown>>,
  };
}
