import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { UnmetError } from '@modelwire/store-sql/migrations';
import { failureOf } from '../file/failure.ts';
import type { Outcome, SqlCall } from './protocol.ts';

export type BatchRunner = (batch: readonly (readonly SqlCall[])[]) => readonly Outcome[];

/** A server has about fifty; usage queries can have any shape. */
const maxPreparedStatements = 256;

function preparedStatements(db: DatabaseSync): (sql: string) => StatementSync {
  const cache = new Map<string, StatementSync>();
  return (sql) => {
    let statement = cache.get(sql);
    if (!statement) {
      if (cache.size >= maxPreparedStatements) cache.clear();
      cache.set(sql, (statement = db.prepare(sql)));
    }
    return statement;
  };
}

/** Runs each unit separately. */
export function readingRunner(db: DatabaseSync): BatchRunner {
  const prepare = preparedStatements(db);
  return (batch) =>
    batch.map((unit) => {
      try {
        return done(unit.map(({ sql, parameters }) => prepare(sql).all(...parameters)));
      } catch (error) {
        return failureOf(error);
      }
    });
}

/** Runs a batch in one transaction, so that it costs one commit. A unit that fails is rolled back alone. */
export function writingRunner(db: DatabaseSync): BatchRunner {
  const prepare = preparedStatements(db);

  function runUnit(unit: readonly SqlCall[]): Outcome {
    prepare('savepoint unit').run();
    try {
      const rows = unit.map(({ sql, parameters, expected }) => {
        const found = prepare(sql).all(...parameters);
        if (expected && found.length !== expected.rows) throw new UnmetError(expected.condition);
        return found;
      });
      prepare('release unit').run();
      return done(rows);
    } catch (error) {
      // Errors such as a full disk roll back the whole transaction: nothing of the batch remains.
      if (!db.isTransaction) throw error;
      prepare('rollback to unit').run();
      prepare('release unit').run();
      return failureOf(error);
    }
  }

  return (batch) => {
    try {
      prepare('begin immediate').run();
      const outcomes = batch.map(runUnit);
      prepare('commit').run();
      return outcomes;
    } catch (error) {
      if (db.isTransaction) db.exec('rollback');
      const failure = failureOf(error);
      return batch.map(() => failure);
    }
  };
}

function done(rows: readonly Record<string, unknown>[][]): Outcome {
  // The tables contain text, numbers and null only.
  return { type: 'done', rows: rows as Extract<Outcome, { type: 'done' }>['rows'] };
}
