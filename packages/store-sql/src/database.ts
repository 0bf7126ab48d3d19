import type { Statement } from './statement.ts';

/** The rows of each statement. */
export type RowsOf<Unit extends readonly Statement<unknown>[]> = {
  readonly [Index in keyof Unit]: Unit[Index] extends Statement<infer Row> ? readonly Row[] : never;
};

/** What an engine does for the stores. Both reject with a `StoreError` when they fail. */
export interface SqlDatabase {
  /** Sees every write that was resolved before. */
  read<Row>(statement: Statement<Row>): Promise<readonly Row[]>;
  /**
   * All of the statements, one after the other, or none. Durable when it resolves; each sees what the ones before it did.
   *
   * @throws {UnmetError} when one did not give the number of rows that its `expected` says; then nothing of the unit is left.
   */
  write<const Unit extends readonly Statement<unknown>[]>(unit: Unit): Promise<RowsOf<Unit>>;
  /** Resolves when all that was asked for is done. */
  close(): Promise<void>;
}
