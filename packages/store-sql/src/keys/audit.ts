import type { AuditLogType } from '@modelwire/schema/types';
import type { AuditEntry, AuditStore } from '@modelwire/ports';
import type { Selectable } from 'kysely';
import type { SqlDatabase } from '../database/database.ts';
import { pageOf } from '../query/pages.ts';
import type { QueryBuilder } from '../query/query-builder.ts';
import { nullable, plain, recordCodec, text } from '../query/record-codec.ts';
import { compileOnce, statement } from '../query/statement.ts';
import type { Slots, Statement } from '../query/statement.ts';
import { insertRow } from '../query/rows.ts';
import type { Tables } from '../schema/tables.ts';
import { fromStored, toStored } from '../query/text.ts';
import type { StoredText } from '../query/text.ts';

const { columns, toRow, fromRow } = recordCodec<Selectable<Tables['audit_log']>, AuditEntry>()({
  id: text('id'),
  at: plain('created_at'),
  type: { column: 'type', store: toStored, load: (stored) => fromStored(stored) as AuditLogType },
  actor: nullable(text('actor_id')),
  actorName: nullable(text('actor_name')),
  project: nullable(text('project_id')),
  resource: text('resource_id'),
  changes: {
    column: 'changes',
    store: JSON.stringify,
    load: (stored) => JSON.parse(stored) as Readonly<Record<string, unknown>>,
  },
});

const maxPeople = 1000;

export function auditStore(database: SqlDatabase, db: QueryBuilder): AuditStore {
  const position = statement((slot: Slots<{ readonly id: StoredText }>) =>
    db.selectFrom('audit_log').select('seq').where('id', '=', slot('id')),
  );
  const people = statement(() => {
    const last = db
      .selectFrom('audit_log')
      .select(({ fn }) => fn.max('seq').as('seq'))
      .where('actor_name', 'is not', null)
      .groupBy('actor_id');
    return db
      .selectFrom('audit_log')
      .select(['actor_id', 'actor_name'])
      .where('seq', 'in', last)
      .orderBy('actor_id')
      .limit(maxPeople)
      .$narrowType<{ actor_id: StoredText; actor_name: StoredText }>();
  });
  return {
    async list({ after, limit, from, to, projects, types, actors, actorNames, resources }) {
      // PostgreSQL rejects `in ()`.
      if ([projects, types, actors, actorNames, resources].some((values) => values?.length === 0))
        return pageOf([], limit);
      let query = db
        .selectFrom('audit_log')
        .select(columns)
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
      if (actors) query = query.where('actor_id', 'in', actors.map(toStored));
      if (actorNames) query = query.where('actor_name', 'in', actorNames.map(toStored));
      if (resources) query = query.where('resource_id', 'in', resources.map(toStored));
      const rows = await database.scan(compileOnce(query));
      return pageOf(rows.map(fromRow), limit);
    },

    async listPeople() {
      const rows = await database.read(people({}));
      return rows.map(({ actor_id: id, actor_name: name }) => ({ id: fromStored(id), name: fromStored(name) }));
    },
  };
}

/** The statement that appends an audit log entry, if there is one, in the transaction of its change. */
export function auditStatements(db: QueryBuilder): (entry: AuditEntry | undefined) => readonly Statement<unknown>[] {
  const append = insertRow(db, 'audit_log');
  return (entry) => (entry === undefined ? [] : [append(toRow(entry))]);
}
