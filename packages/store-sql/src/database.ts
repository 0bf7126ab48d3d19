import type { Statement } from './statement.ts';

/** The rows of each statement. */
export type RowsOf<Unit extends readonly Statement<unknown>[]> = {
  readonly [Index in keyof Unit]: Unit[Index] extends Statement<infer Row> ? readonly Row[] : never;
};

/** What an engine does for the stores. Both reject with a `StoreError` when they fail. */
export interface SqlDatabase {
  /** Looks rows up by their keys. Sees every write that was resolved before. */
  read<Row>(statement: Statement<Row>): Promise<readonly Row[]>;
  /** The same for a query that may look at many rows: it does not delay lookups. */
  scan<Row>(statement: Statement<Row>): Promise<readonly Row[]>;
  /**
   * All of the statements, one after the other, or none. Durable when it resolves; each sees what the ones before it did.
   *
   * @throws {UnmetError} when one did not give the number of rows that its `expected` says; then nothing of the unit is left.
   */
  write<const Unit extends readonly Statement<unknown>[]>(unit: Unit): Promise<RowsOf<Unit>>;
  /** Whether it failed so often that only a restart of this process may help. Default: never. */
  hasFailed?(): boolean;
  /** Resolves when all that was asked for is done. */
  close(): Promise<void>;
}
