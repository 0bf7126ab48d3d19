import { observeOperation } from '@modelwire/adapter-kit';
import type { StorageObserver } from '@modelwire/ports';
import type { RowsOf, SqlDatabase } from './database.ts';
import type { Statement } from '../query/statement.ts';

/** The same database, whose operations are observed: `read`, `scan` and `write`. */
export function observedDatabase(database: SqlDatabase, observer: StorageObserver): SqlDatabase {
  return {
    read: (statement) => observeOperation(observer, 'read', () => database.read(statement)),
    scan: (statement) => observeOperation(observer, 'scan', () => database.scan(statement)),
    write: <const Unit extends readonly Statement<unknown>[]>(unit: Unit): Promise<RowsOf<Unit>> =>
      observeOperation(observer, 'write', () => database.write(unit)),
    hasFailed: () => database.hasFailed?.() === true,
    close: () => database.close(),
  };
}
