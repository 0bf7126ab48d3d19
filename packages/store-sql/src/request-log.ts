import type { RequestRecord, RequestLogStore } from '@modelwire/ports';
import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { SqlDatabase } from './database/database.ts';
import { inGroups } from './query/groups.ts';
import { pageOf } from './query/pages.ts';
import type { Cursor } from './query/pages.ts';
import type { QueryBuilder } from './query/query-builder.ts';
import { flag, nullable, plain, recordCodec, text } from './query/record-codec.ts';
import type { ById } from './query/record-key.ts';
import { compileOnce, slotRows, statement } from './query/statement.ts';
import type { Slots } from './query/statement.ts';
import { toStored } from './query/text.ts';
import type { Tables } from './schema/tables.ts';

type Row = Omit<Selectable<Tables['request_log']>, 'seq'>;

const { columns, toRow, fromRow } = recordCodec<Row, RequestRecord>()({
  id: text('id'),
  created: plain('created_at'),
  project: text('project_id'),
  keyId: text('key_id'),
  endpoint: plain('endpoint'),
  model: text('model'),
  outcome: plain('outcome'),
  status: plain('status'),
  error: nullable(text('error')),
  isStreamed: flag('is_streamed'),
  durationMs: plain('duration_ms'),
  firstTokenMs: plain('first_token_ms'),
  inputTokens: plain('input_tokens'),
  outputTokens: plain('output_tokens'),
  cachedTokens: plain('cached_tokens'),
  costMicros: plain('cost_micros'),
  currency: nullable(text('currency')),
  response: nullable(text('response_id')),
  batch: nullable(text('batch_id')),
});

export function requestLogStore(database: SqlDatabase, db: QueryBuilder): RequestLogStore {
  const insert = statement(
    (slot: Slots<readonly Row[]>, rows) =>
      db
        .insertInto('request_log')
        .values(slotRows(slot, rows, (values) => values))
        .onConflict((conflict) => conflict.column('id').doNothing()),
    (rows) => String(rows.length),
  );
  const get = statement((slot: Slots<ById>) =>
    db.selectFrom('request_log').select(columns).where('id', '=', slot('id')),
  );
  const position = statement((slot: Slots<ById>) =>
    db.selectFrom('request_log').select(['created_at', 'seq']).where('id', '=', slot('id')),
  );
  return {
    async append(requests) {
      if (requests.length > 0) await database.write(inGroups(requests.map(toRow)).map(insert));
    },

    async list({ after, limit, order, projects, keyIds, models, outcomes, from, to }) {
      // PostgreSQL rejects `in ()`.
      if ([projects, keyIds, models, outcomes].some((values) => values?.length === 0)) return pageOf([], limit);
      let query = db
        .selectFrom('request_log')
        .select(columns)
        .orderBy('created_at', order)
        .orderBy('seq', order)
        .limit(limit + 1);
      if (after !== undefined) {
        const [cursor] = await database.read(position({ id: toStored(after) }));
        if (!cursor) return undefined;
        query = query.where(isBeyond(cursor, order));
      }
      if (from !== undefined) query = query.where('created_at', '>=', from);
      if (to !== undefined) query = query.where('created_at', '<', to);
      if (projects) query = query.where('project_id', 'in', projects.map(toStored));
      if (keyIds) query = query.where('key_id', 'in', keyIds.map(toStored));
      if (models) query = query.where('model', 'in', models.map(toStored));
      if (outcomes) query = query.where('outcome', 'in', outcomes);
      const rows = await database.scan(compileOnce(query));
      return pageOf(rows.map(fromRow), limit);
    },

    async get(id) {
      const [row] = await database.read(get({ id: toStored(id) }));
      return row && fromRow(row);
    },
  };
}

/** Matches the rows after a position of the page order. */
function isBeyond({ created_at: created, seq }: Cursor, order: 'asc' | 'desc') {
  return sql<boolean>`(created_at, seq) ${sql.raw(order === 'asc' ? '>' : '<')} (${created}, ${seq})`;
}
