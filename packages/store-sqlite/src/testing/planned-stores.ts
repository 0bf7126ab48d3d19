import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sqlStores, sqliteBuilder } from '@modelwire/store-sql';
import type { RowsOf, SqlDatabase, Statement } from '@modelwire/store-sql';
import type { Stores } from '@modelwire/ports';
import { migrate } from '../schema/migrate.ts';
import { migrations } from '../schema/migrations.ts';

export interface PlannedStores {
  readonly db: DatabaseSync;
  readonly stores: Stores;
  /** The plan of each statement of a call. */
  plansOf(call: () => Promise<unknown>): Promise<string[]>;
  /** The statement that was run last. */
  last(): Statement<unknown> | undefined;
  discard(): Promise<void>;
}

/** Stores that run in this thread and record the plan of each statement. */
export async function openPlannedStores(): Promise<PlannedStores> {
  const folder = await mkdtemp(join(tmpdir(), 'modelwire-plans-'));
  const db = new DatabaseSync(join(folder, 'store.db'));
  // Without waiting for the disk; the plans are the same.
  db.exec('pragma synchronous = off');
  migrate(db, migrations);
  let plans: string[] = [];
  let last: Statement<unknown> | undefined;
  function run(statement: Statement<unknown>): Record<string, unknown>[] {
    const { sql, parameters } = (last = statement);
    const plan = db.prepare(`explain query plan ${sql}`).all(...parameters);
    plans.push(plan.map(({ detail }) => String(detail)).join('\n'));
    return db.prepare(sql).all(...parameters);
  }
  const database: SqlDatabase = {
    read: async <Row>(statement: Statement<Row>) => run(statement) as unknown as Row[],
    scan: async <Row>(statement: Statement<Row>) => run(statement) as unknown as Row[],
    write: async <const Unit extends readonly Statement<unknown>[]>(unit: Unit) =>
      unit.map(run) as unknown as RowsOf<Unit>,
    close: async () => db.close(),
  };
  const stores = sqlStores({ database, builder: sqliteBuilder(), check: { sql: 'select 1', parameters: [] } });
  return {
    db,
    stores,
    async plansOf(call) {
      plans = [];
      await call();
      return plans;
    },
    last: () => last,
    async discard() {
      await stores.close();
      await rm(folder, { recursive: true });
    },
  };
}
