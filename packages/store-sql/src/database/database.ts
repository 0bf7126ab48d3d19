import type { Statement } from '../query/statement.ts';

/** The rows of each statement. */
export type RowsOf<Unit extends readonly Statement<unknown>[]> = {
  readonly [Index in keyof Unit]: Unit[Index] extends Statement<infer Row> ? readonly Row[] : never;
};

/** Runs statements on one kind of database. Methods reject with a `StoreError` when they fail. */
export interface SqlDatabase {
  /** Looks up rows by key. Sees every write that resolved before. */
  read<Row>(statement: Statement<Row>): Promise<readonly Row[]>;
  /** Like `read`, for queries that may read many rows. Does not delay lookups. */
  scan<Row>(statement: Statement<Row>): Promise<readonly Row[]>;
  /**
   * Runs the statements in order in one transaction. Durable when it resolves; each statement sees the effects of those before it.
   *
   * @throws {UnmetError} when a statement did not return the number of rows in its `expected`. The transaction is rolled back.
   */
  write<const Unit extends readonly Statement<unknown>[]>(unit: Unit): Promise<RowsOf<Unit>>;
  /** Whether it failed so often that only a restart of the process may help. Default: never. */
  hasFailed?(): boolean;
  /** Resolves when all running operations have finished. */
  close(): Promise<void>;
}
