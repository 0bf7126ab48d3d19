import { earlierReplica, readRecording } from '@modelwire/store-sql/testing';
import type { EarlierReplica } from '@modelwire/store-sql/testing';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';

export const earlier = readRecording(new URL('earlier-version.json', import.meta.url));

/** A server of an earlier version on this connection. */
export function startEarlierReplica(db: DatabaseSync): EarlierReplica {
  return earlierReplica(earlier, async (statements, check) => {
    await setImmediate();
    db.exec('begin immediate');
    try {
      const results = statements.flatMap((statement) => {
        const rows = db.prepare(statement.sql).all(...statement.parameters);
        check(statement, rows);
        return rows;
      });
      db.exec('commit');
      return results;
    } catch (error) {
      if (db.isTransaction) db.exec('rollback');
      throw error;
    }
  });
}
