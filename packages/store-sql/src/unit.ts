import { ReservationLostError } from '@modelwire/ports';
import type { RowsOf, SqlDatabase } from './database.ts';
import { UnmetError } from './errors.ts';
import type { Statement } from './statement.ts';

/** Of a statement that takes reservations: their bytes may be gone. */
export const reserved = 'its bytes are reserved';

/** Undoes its unit unless it gives so many rows. */
export function expecting<Row>(rows: number, condition: string, one: Statement<Row>): Statement<Row> {
  return { ...one, expected: { rows, condition } };
}

/** Marks the unit of a statement as one that frees space. */
export function freeing<Row>(one: Statement<Row>): Statement<Row> {
  return { ...one, freesSpace: true };
}

/**
 * Writes a unit. Undefined when one of its conditions does not hold: then nothing was written.
 *
 * @throws {ReservationLostError} when that is the reservation of bytes.
 */
export async function writeIf<const Unit extends readonly Statement<unknown>[]>(
  database: SqlDatabase,
  unit: Unit,
): Promise<RowsOf<Unit> | undefined> {
  try {
    return await database.write(unit);
  } catch (error) {
    if (!(error instanceof UnmetError)) throw error;
    if (error.condition === reserved) throw new ReservationLostError();
    return undefined;
  }
}
