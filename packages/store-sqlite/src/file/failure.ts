import { StoreError, StoreTooNewError, UnmetError } from '@modelwire/store-sql/migrations';
import type { Failure } from '../threads/protocol.ts';

/** SQLite's primary result codes that are useful to an operator. */
const names: Readonly<Record<number, string>> = {
  3: 'PERM',
  5: 'BUSY',
  7: 'NOMEM',
  8: 'READONLY',
  10: 'IOERR',
  11: 'CORRUPT',
  13: 'FULL',
  14: 'CANTOPEN',
  19: 'CONSTRAINT',
  26: 'NOTADB',
};
/** SQLITE_CONSTRAINT_PRIMARYKEY and SQLITE_CONSTRAINT_UNIQUE. */
const uniqueViolationCodes = [1555, 2067];

/** The parts of an error that are sent between threads and processes: SQLite's messages name tables and columns, but no values. */
export function failureOf(error: unknown): Failure {
  if (error instanceof StoreTooNewError) return { type: 'too new', found: error.found, known: error.known };
  if (error instanceof UnmetError) return { type: 'unmet', condition: error.condition };
  if (error instanceof StoreError) {
    const { message, code, conflict, outage } = error;
    return { type: 'failed', message, code, conflict, outage };
  }
  const message = error instanceof Error ? error.message : String(error);
  const number = resultCode(error);
  if (number === undefined) return { type: 'failed', message, code: 'SQLITE' };
  const code = `SQLITE_${names[number & 0xff] ?? number}`;
  return { type: 'failed', message, code, conflict: uniqueViolationCodes.includes(number) };
}

/** The error of a failed operation in this thread. */
export function toStoreError(error: unknown): Error {
  return error instanceof StoreError ? error : errorOf(failureOf(error));
}

export function errorOf(failure: Failure): Error {
  if (failure.type === 'too new') return new StoreTooNewError(failure.found, failure.known);
  if (failure.type === 'unmet') return new UnmetError(failure.condition);
  return new StoreError(failure.message, failure);
}

/** The extended result code, if node:sqlite provides one. */
export function resultCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : undefined;
}
