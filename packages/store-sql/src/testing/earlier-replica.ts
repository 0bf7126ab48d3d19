import { readFileSync } from 'node:fs';

type Row = Record<string, unknown>;

export interface RecordedStatement {
  readonly sql: string;
  readonly parameters: readonly (string | number | null)[];
  /** Number of rows that the statement must return. */
  readonly expected?: number;
  /** Of its rows, when it was recorded. */
  readonly columns: readonly string[];
}

/** The statements of a store before the tables of responses, recorded with its code. Records are in the project `earlier`. */
export interface Recording {
  /** Of the tables. */
  readonly version: number;
  /** The calls of all stores, each with its transactions. `RUN` in their parameters stands for one run of all of them. */
  readonly operations: readonly { readonly name: string; readonly units: readonly (readonly RecordedStatement[])[] }[];
}

export function readRecording(file: URL): Recording {
  return JSON.parse(readFileSync(file, 'utf8')) as Recording;
}

export interface EarlierReplica {
  /** How often all operations were run. */
  rounds(): number;
  /** Runs one operation and returns the rows of its statements. */
  run(name: string, of: string): Promise<readonly Row[]>;
  /** Runs all operations, again and again, with records of their own each time: `run-0`, `run-1`. Rejects when one fails. */
  serve(): Promise<void>;
  stop(): void;
}

/** Runs the statements of a transaction one after the other, passes the rows of each to `check`, and returns all of them. */
type RunTransaction = (
  statements: readonly RecordedStatement[],
  check: (statement: RecordedStatement, rows: readonly Row[]) => void,
) => Promise<readonly Row[]>;

/** A server of an earlier version: runs its statements, without its code. */
export function earlierReplica({ operations }: Recording, runTransaction: RunTransaction): EarlierReplica {
  let rounds = 0;
  let isStopped = false;

  function runUnit(unit: readonly RecordedStatement[], run: string): Promise<readonly Row[]> {
    const ofRun = unit.map((statement) => ({
      ...statement,
      parameters: statement.parameters.map((value) =>
        typeof value === 'string' ? value.replaceAll('RUN', run) : value,
      ),
    }));
    return runTransaction(ofRun, checkRows);
  }

  return {
    rounds: () => rounds,
    async run(name, of) {
      const operation = operations.find((one) => one.name === name);
      if (!operation) throw new TypeError(`There is no operation ${name}.`);
      const results: Row[] = [];
      for (const unit of operation.units) results.push(...(await runUnit(unit, of)));
      return results;
    },
    async serve() {
      for (; !isStopped; rounds++)
        for (const { units } of operations) for (const unit of units) await runUnit(unit, `run-${rounds}`);
    },
    stop() {
      isStopped = true;
    },
  };
}

function checkRows({ sql, expected, columns }: RecordedStatement, rows: readonly Row[]): void {
  if (expected !== undefined && rows.length !== expected) throw new Error(`${rows.length} rows: ${sql}`);
  const found = Object.keys(rows[0] ?? {});
  if (columns.length > 0 && found.length > 0 && found.join() !== columns.join())
    throw new Error(`the columns ${found.join()} instead of ${columns.join()}: ${sql}`);
}
