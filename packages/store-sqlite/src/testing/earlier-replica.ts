import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

interface RecordedStatement {
  readonly sql: string;
  readonly parameters: readonly SQLInputValue[];
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

/** The statements of the SQLite store before the tables of responses, recorded with its code. Records are in the project `earlier`. */
export const earlier = JSON.parse(readFileSync(new URL('earlier-version.json', import.meta.url), 'utf8')) as Recording;

/** A server of an earlier version: runs its statements, without its code. */
export function earlierReplica(db: DatabaseSync) {
  let rounds = 0;
  let isStopped = false;

  function runUnit(unit: readonly RecordedStatement[], run: string): readonly Record<string, unknown>[][] {
    db.exec('begin immediate');
    try {
      const results = runStatements(unit, run);
      db.exec('commit');
      return results;
    } catch (error) {
      if (db.isTransaction) db.exec('rollback');
      throw error;
    }
  }

  function runStatements(unit: readonly RecordedStatement[], run: string): readonly Record<string, unknown>[][] {
    return unit.map(({ sql, parameters, expected, columns }) => {
      const values = parameters.map((value) => (typeof value === 'string' ? value.replaceAll('RUN', run) : value));
      const rows = db.prepare(sql).all(...values);
      if (expected !== undefined && rows.length !== expected) throw new Error(`${rows.length} rows: ${sql}`);
      const found = Object.keys(rows[0] ?? {});
      if (columns.length > 0 && found.length > 0 && found.join() !== columns.join())
        throw new Error(`the columns ${found.join()} instead of ${columns.join()}: ${sql}`);
      return rows;
    });
  }

  /** Runs one operation and returns the rows of its statements. */
  function run(name: string, of: string): readonly Record<string, unknown>[] {
    const operation = earlier.operations.find((one) => one.name === name);
    if (!operation) throw new TypeError(`There is no operation ${name}.`);
    return operation.units.flatMap((unit) => runUnit(unit, of).flat());
  }

  return {
    rounds: () => rounds,
    run,
    /** Runs all operations, again and again, with records of their own each time: `run-0`, `run-1`. Rejects when one fails. */
    async serve() {
      for (; !isStopped; rounds++) {
        for (const { units } of earlier.operations) {
          for (const unit of units) {
            runUnit(unit, `run-${rounds}`);
            await setImmediate();
          }
        }
      }
    },
    stop() {
      isStopped = true;
    },
  };
}
