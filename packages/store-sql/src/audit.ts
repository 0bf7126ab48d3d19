import type { AuditLogType } from '@modelwire/schema/types';
import type { AuditEntry, AuditStore } from '@modelwire/ports';
import type { Selectable } from 'kysely';
import type { SqlDatabase } from './database.ts';
import { pageOf } from './pages.ts';
import type { QueryBuilder } from './query-builder.ts';
import { compileOnce, statement } from './statement.ts';
import type { Slots, Statement } from './statement.ts';
import type { AuditTable } from './tables.ts';
import { fromStored, toStored } from './text.ts';
import type { StoredText } from './text.ts';

export function auditStore(database: SqlDatabase, db: QueryBuilder): AuditStore {
  const place = statement((slot: Slots<{ readonly id: StoredText }>) =>
    db.selectFrom('audit_log').select('seq').where('id', '=', slot('id')),
  );
  return {
    async list({ after, limit, from, to, projects, types, actors, resources }) {
      // PostgreSQL rejects `in ()`.
      if ([projects, types, actors, resources].some((values) => values?.length === 0)) return pageOf([], limit);
      let query = db
        .selectFrom('audit_log')
        .select(['id', 'at', 'type', 'actor', 'project', 'resource', 'changes'])
        .orderBy('seq', 'desc')
        .limit(limit + 1);
      if (after !== undefined) {
        const [found] = await database.read(place({ id: toStored(after) }));
        if (!found) return undefined;
        query = query.where('seq', '<', found.seq);
      }
      if (from !== undefined) query = query.where('at', '>=', from);
      if (to !== undefined) query = query.where('at', '<', to);
      if (projects) query = query.where('project', 'in', projects.map(toStored));
      if (types) query = query.where('type', 'in', types.map(toStored));
      if (actors) query = query.where('actor', 'in', actors.map(toStored));
      if (resources) query = query.where('resource', 'in', resources.map(toStored));
      const rows = await database.scan(compileOnce(query));
      return pageOf(rows.map(entryOf), limit);
    },
  };
}

/** The statement that appends an audit log entry, if there is one, in the transaction of its change. */
export function auditStatements(db: QueryBuilder): (entry: AuditEntry | undefined) => readonly Statement<unknown>[] {
  const append = statement((slot: Slots<AuditEntry>) =>
    db.insertInto('audit_log').values({
      id: slot(({ id }) => toStored(id)),
      at: slot('at'),
      type: slot(({ type }) => toStored(type)),
      actor: slot(({ actor }) => (actor === null ? null : toStored(actor))),
      project: slot(({ project }) => (project === null ? null : toStored(project))),
      resource: slot(({ resource }) => toStored(resource)),
      changes: slot(({ changes }) => JSON.stringify(changes)),
    }),
  );
  return (entry) => (entry ? [append(entry)] : []);
}

function entryOf(row: Omit<Selectable<AuditTable>, 'seq'>): AuditEntry {
  return {
    id: fromStored(row.id),
    at: row.at,
    // What `append` wrote, as below.
    type: fromStored(row.type) as AuditLogType,
    actor: row.actor === null ? null : fromStored(row.actor),
    project: row.project === null ? null : fromStored(row.project),
    resource: fromStored(row.resource),
    changes: JSON.parse(row.changes) as Readonly<Record<string, unknown>>,
  };
}
