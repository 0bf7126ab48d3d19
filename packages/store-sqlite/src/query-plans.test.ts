import { DatabaseSync } from 'node:sqlite';
import { sqliteBuilder } from '@modelwire/store-sql';
import { describeQueryPlans, rowCount } from '@modelwire/store-sql/testing';
import { migrate } from './schema/migrate.ts';
import { migrations } from './schema/migrations.ts';

/** Rows of the statement itself, its common table expressions and subqueries are not tables. There are few webhooks. */
const notLarge =
  /^(?:\d+|CONSTANT|\(subquery.*|given|some|chain|newest|head|first|oldest|lines|page|deleted_webhooks|webhooks)$/;

describeQueryPlans('SQLite', {
  async connect() {
    const db = new DatabaseSync(':memory:');
    migrate(db, migrations);
    return {
      builder: sqliteBuilder(),
      execute: async (sql) => db.exec(sql),
      run: async ({ sql, parameters }) => db.prepare(sql).all(...parameters),
      explain: async ({ sql, parameters }) =>
        db
          .prepare(`explain query plan ${sql}`)
          .all(...parameters)
          .map(({ detail }) => String(detail)),
      close: async () => db.close(),
    };
  },
  words: `insert into modelwire_completion_words (rowid, words)
    select created_at << 31 | seq, 'a few words' from completions where created_at between 2 and ${rowCount}`,
  modes: { 'with no statistics': '', 'with statistics': 'analyze' },
  scans: (plan) =>
    Array.from(plan.matchAll(/SCAN (\S+)\b(?! VIRTUAL TABLE INDEX)/g), ([, table = '']) => table).filter(
      (table) => !notLarge.test(table),
    ),
  sorts: (plan) => plan.includes('TEMP B-TREE'),
  looksUpByKey: (plan, table) => plan.includes(`SEARCH ${table} USING INTEGER PRIMARY KEY`),
  boundsOf: (plan, index) => new RegExp(`INDEX ${index} \\((.*)\\)`).exec(plan)?.[1] ?? '',
  sortsFewRows: false,
});
