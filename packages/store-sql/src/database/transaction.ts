import { BudgetLimitsError, ReservationLostError, StorageLimitError } from '@modelwire/ports';
import type { RowsOf, SqlDatabase } from './database.ts';
import { UnmetError } from './errors.ts';
import type { Statement } from '../query/statement.ts';

/** Condition of a statement that consumes reservations. */
export const reservationHeld = 'the bytes are reserved';

/** Condition of a statement that checks the storage limit of a project. */
export const withinStorageLimit = 'the project is within its storage limit';

/** Condition of a statement that compares the limits of a budget. */
export const limitsInOrder = 'the soft limit is not above the hard limit';

/** Rolls back the transaction unless the statement returns `rows` rows. */
export function expectRows<Row>(rows: number, condition: string, statement: Statement<Row>): Statement<Row> {
  return { ...statement, expected: { rows, condition } };
}

/** Marks a statement whose transaction frees disk space. */
export function markAsFreeingSpace<Row>(statement: Statement<Row>): Statement<Row> {
  return { ...statement, freesSpace: true };
}

/**
 * Runs the statements in one transaction. Returns undefined when a condition of `expectRows` does not hold; nothing is written then.
 *
 * @throws {ReservationLostError} when the condition is the reservation of bytes.
 * @throws {StorageLimitError} when the condition is the storage limit of a project.
 * @throws {BudgetLimitsError} when the condition is the order of the limits of a budget.
 */
export async function transaction<const Unit extends readonly Statement<unknown>[]>(
  database: SqlDatabase,
  unit: Unit,
): Promise<RowsOf<Unit> | undefined> {
  try {
    return await database.write(unit);
  } catch (error) {
    if (!(error instanceof UnmetError)) throw error;
    if (error.condition === reservationHeld) throw new ReservationLostError();
    if (error.condition === withinStorageLimit) throw new StorageLimitError();
    if (error.condition === limitsInOrder) throw new BudgetLimitsError();
    return undefined;
  }
}

/** Runs the statements as `transaction` does. Returns whether they were committed. */
export async function commit(database: SqlDatabase, unit: readonly Statement<unknown>[]): Promise<boolean> {
  return (await transaction(database, unit)) !== undefined;
}
