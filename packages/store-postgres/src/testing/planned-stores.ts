import pg from 'pg';
import { postgresBuilder, sqlStores } from '@modelwire/store-sql';
import type { RowsOf, SqlDatabase, Statement } from '@modelwire/store-sql';
import type { Stores } from '@modelwire/ports';
import { migrate } from '../schema/migrate.ts';
import { migrations } from '../schema/migrations.ts';
import { freshSchema, url } from './schema.ts';

export interface PlannedStores {
  readonly schema: string;
  readonly client: pg.Client;
  readonly stores: Stores;
  /** The plan of each statement of a call. */
  plansOf(call: () => Promise<unknown>): Promise<string[]>;
}

/** Stores that record the plan of each statement. */
export async function openPlannedStores(): Promise<PlannedStores> {
  const schema = freshSchema();
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  const client = new pg.Client({ connectionString: url, types });
  let plans: string[] = [];
  async function run({ sql, parameters }: Statement<unknown>): Promise<Record<string, unknown>[]> {
    const values = [...parameters];
    const { rows: lines } = await client.query<{ 'QUERY PLAN': string }>(`explain ${sql}`, values);
    plans.push(lines.map((line) => line['QUERY PLAN']).join('\n'));
    return (await client.query<Record<string, unknown>>(sql, values)).rows;
  }
  await client.connect();
  await migrate(client, schema, migrations);
  const database: SqlDatabase = {
    read: async <Row>(statement: Statement<Row>) => (await run(statement)) as unknown as Row[],
    scan: async <Row>(statement: Statement<Row>) => (await run(statement)) as unknown as Row[],
    async write<const Unit extends readonly Statement<unknown>[]>(unit: Unit) {
      const rows = [];
      for (const statement of unit) rows.push(await run(statement));
      return rows as unknown as RowsOf<Unit>;
    },
    close: () => client.end(),
  };
  const stores = sqlStores({ database, builder: postgresBuilder(schema), check: { sql: 'select 1', parameters: [] } });
  return {
    schema,
    client,
    stores,
    async plansOf(call) {
      plans = [];
      await call();
      return plans;
    },
  };
}
