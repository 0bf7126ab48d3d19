import type { StorageObserver } from '@modelwire/ports';
import type { RowsOf, SqlDatabase } from './database.ts';
import type { Statement } from './statement.ts';

/** The same database, whose operations are observed: `read`, `scan` and `write`. */
export function observedDatabase(database: SqlDatabase, observer: StorageObserver): SqlDatabase {
  async function observed<Result>(operation: string, run: () => Promise<Result>): Promise<Result> {
    const observation = observer.startOperation(operation);
    try {
      const result = await run();
      observation.end({});
      return result;
    } catch (error) {
      observation.end({ error });
      throw error;
    }
  }
  return {
    read: (statement) => observed('read', () => database.read(statement)),
    scan: (statement) => observed('scan', () => database.scan(statement)),
    write: <const Unit extends readonly Statement<unknown>[]>(unit: Unit): Promise<RowsOf<Unit>> =>
      observed('write', () => database.write(unit)),
    hasFailed: () => database.hasFailed?.() === true,
    close: () => database.close(),
  };
}
