import pg from 'pg';
import { postgresBuilder } from '@modelwire/store-sql';
import { describeQueryPlans, rowCount } from '@modelwire/store-sql/testing';
import { integerTypes } from './pool/integer-types.ts';
import { migrate } from './schema/migrate.ts';
import { migrations } from './schema/migrations.ts';
import { freshSchema, url } from './testing/schema.ts';

/** PostgreSQL scans tables that are empty or have a single page. */
const small = [
  'projects',
  'keys',
  'usage',
  'budget_reservations',
  'console_sessions',
  'webhooks',
  'deleted_webhooks',
  'conversations',
];

describeQueryPlans('PostgreSQL', {
  async connect() {
    const schema = freshSchema();
    const client = new pg.Client({ connectionString: url, types: integerTypes });
    await client.connect();
    await migrate(client, schema, migrations);
    return {
      builder: postgresBuilder(schema),
      execute: (sql) => client.query(`set search_path to ${schema}; ${sql}; analyze; reset search_path`),
      run: async ({ sql, parameters }) => (await client.query<Record<string, unknown>>(sql, [...parameters])).rows,
      async explain({ sql, parameters }) {
        const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${sql}`, [...parameters]);
        return rows.map((line) => line['QUERY PLAN']);
      },
      close: () => client.end(),
    };
  },
  words: `insert into modelwire_completion_words (completion_seq, created_at, words)
    select c.seq, c.created_at, w.words from completions c cross join modelwire_completion_words w
    where c.created_at between 2 and ${rowCount} and w.completion_seq = (select seq from completions where id = 'c1')`,
  modes: {
    'with planned parameters': 'set plan_cache_mode = auto',
    'with generic plans': 'set plan_cache_mode = force_generic_plan',
  },
  scans: (plan) =>
    Array.from(plan.matchAll(/Seq Scan on (\w+)/g), ([, table = '']) => table).filter(
      (table) => !small.includes(table),
    ),
  sorts: (plan) => plan.includes('Sort'),
  looksUpByKey: (plan, table) => plan.includes(`${table}_pkey`),
  boundsOf: (plan, index) => new RegExp(`using ${index} [^\\n]*\\n\\s*Index Cond: (.*)`).exec(plan)?.[1] ?? '',
  sortsFewRows: true,
});
