import { readFileSync } from 'node:fs';
import pg from 'pg';
import { integerTypes } from '../integer-types.ts';
import { url } from './schema.ts';

interface RecordedStatement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** Number of rows that the statement must return. */
  readonly expected?: number;
  /** Of its rows, when it was recorded. */
  readonly columns: readonly string[];
}

interface Recording {
  /** Of the tables. */
  readonly version: number;
  /** The calls of all stores, each with its transactions. `RUN` in their parameters stands for one run of all of them. */
  readonly operations: readonly { readonly name: string; readonly units: readonly (readonly RecordedStatement[])[] }[];
}

/** The statements of the PostgreSQL store before the tables of responses, recorded with its code. Records are in the project `earlier`. */
export const earlier = JSON.parse(readFileSync(new URL('earlier-version.json', import.meta.url), 'utf8')) as Recording;

/** A server of an earlier version: runs its statements, without its code, on one connection. */
export async function earlierReplica(schema: string) {
  const client = new pg.Client({ connectionString: url, types: integerTypes });
  await client.connect();
  const names = new Map<string, string>();
  let rounds = 0;
  let isStopped = false;

  async function runStatement({ sql, parameters, expected, columns }: RecordedStatement, run: string) {
    const text = sql.replaceAll('"earlier".', `"${schema}".`).replaceAll(' earlier.', ` ${schema}.`);
    // Prepared once, as servers do: its plan must survive the migration.
    const name = names.get(text) ?? `earlier_${names.size}`;
    names.set(text, name);
    const values = parameters.map((value) => (typeof value === 'string' ? value.replaceAll('RUN', run) : value));
    const { rows } = await client.query<Record<string, unknown>>({ name, text, values });
    if (expected !== undefined && rows.length !== expected) throw new Error(`${rows.length} rows: ${sql}`);
    const found = Object.keys(rows[0] ?? {});
    if (columns.length > 0 && found.length > 0 && found.join() !== columns.join())
      throw new Error(`the columns ${found.join()} instead of ${columns.join()}: ${sql}`);
    return rows;
  }

  async function runUnit(unit: readonly RecordedStatement[], run: string): Promise<Record<string, unknown>[]> {
    const results: Record<string, unknown>[] = [];
    await client.query('begin');
    for (const statement of unit) results.push(...(await runStatement(statement, run)));
    await client.query('commit');
    return results;
  }

  return {
    rounds: () => rounds,
    /** Runs one operation and returns the rows of its statements. */
    async run(name: string, of: string): Promise<readonly Record<string, unknown>[]> {
      const operation = earlier.operations.find((one) => one.name === name);
      if (!operation) throw new TypeError(`There is no operation ${name}.`);
      const results: Record<string, unknown>[] = [];
      for (const unit of operation.units) results.push(...(await runUnit(unit, of)));
      return results;
    },
    /** Runs all operations, again and again, with records of their own each time: `run-0`, `run-1`. Rejects when one fails. */
    async serve() {
      for (; !isStopped; rounds++)
        for (const { units } of earlier.operations) for (const unit of units) await runUnit(unit, `run-${rounds}`);
    },
    stop() {
      isStopped = true;
    },
    close: () => client.end(),
  };
}
