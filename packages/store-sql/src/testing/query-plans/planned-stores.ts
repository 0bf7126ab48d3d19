import type { Stores } from '@modelwire/ports';
import type { RowsOf } from '../../database/database.ts';
import type { QueryBuilder } from '../../query/query-builder.ts';
import type { Statement } from '../../query/statement.ts';
import { sqlStores } from '../../stores.ts';

type Rows = readonly Readonly<Record<string, unknown>>[];

/** One connection to a database whose tables exist. */
export interface PlannedConnection {
  readonly builder: QueryBuilder;
  /** Runs statements without parameters. */
  execute(sql: string): Promise<unknown>;
  run(statement: Statement<unknown>): Promise<Rows>;
  /** The lines of the plan of a statement. */
  explain(statement: Statement<unknown>): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface PlannedStores {
  readonly stores: Stores;
  execute(sql: string): Promise<unknown>;
  /** The plan of each statement of a call. */
  plansOf(call: () => Promise<unknown>): Promise<readonly string[]>;
  /** The statement that was run last. */
  last(): Statement<unknown> | undefined;
}

/** Stores on one connection that record the plan of each statement. */
export function plannedStores({ builder, execute, run, explain, close }: PlannedConnection): PlannedStores {
  let plans: string[] = [];
  let last: Statement<unknown> | undefined;
  async function rowsOf<Row>(statement: Statement<Row>): Promise<readonly Row[]> {
    last = statement;
    plans.push((await explain(statement)).join('\n'));
    return (await run(statement)) as readonly Row[];
  }
  const database = {
    read: rowsOf,
    scan: rowsOf,
    async write<const Unit extends readonly Statement<unknown>[]>(unit: Unit) {
      const rows = [];
      for (const statement of unit) rows.push(await rowsOf(statement));
      return rows as unknown as RowsOf<Unit>;
    },
    close,
  };
  return {
    stores: sqlStores({ database, builder, check: { sql: 'select 1', parameters: [] } }),
    execute,
    async plansOf(call) {
      plans = [];
      await call();
      return plans;
    },
    last: () => last,
  };
}

/** How a database writes its plans. */
export interface PlanReader {
  /** The tables that a statement reads completely. Tables that have few rows in a server, and in these tests, are left out. */
  scans(plan: string): readonly string[];
  sorts(plan: string): boolean;
  looksUpByKey(plan: string, table: string): boolean;
  /** The conditions that limit the range of an index that is read. */
  boundsOf(plan: string, index: string): string;
  /** Whether a few rows are sorted where that is cheaper than to read them in order. */
  readonly sortsFewRows: boolean;
}

export type OpenPlans = PlannedStores & PlanReader;
