import { existsSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Outcome, SqlCall } from '../threads/protocol.ts';
import { openReserve, reserveBytes, withReserve } from './reserve.ts';
import { databasePath } from '../testing/folder.ts';

const write: SqlCall = { sql: 'insert', parameters: [] };
const free: SqlCall = { sql: 'delete', parameters: [], freesSpace: true };
const full: Outcome = { type: 'failed', message: 'database or disk is full', code: 'SQLITE_FULL' };
const done: Outcome = { type: 'done', rows: [] };

test('releases the reserve for units that free space, and rejects all others until it is restored', async () => {
  const path = `${await databasePath()}-reserve`;
  const reserve = openReserve(path);
  expect(statSync(path).size).toBe(reserveBytes);
  const ran: string[][] = [];
  // A disk whose only free space is the reserve.
  const run = withReserve(
    (batch) => {
      ran.push(batch.map((unit) => unit[0]?.sql ?? ''));
      return batch.map(() => (existsSync(path) ? full : done));
    },
    { ...reserve, isReleased: () => !existsSync(path) },
  );
  expect(run([[write]])).toEqual([full]);
  expect(existsSync(path)).toBe(true);
  expect(run([[write], [free], [write]])).toEqual([full, done, full]);
  expect(run([[write], [free]])).toEqual([full, done]);
  expect(ran).toEqual([['insert'], ['insert', 'delete', 'insert'], ['delete'], ['delete']]);
});

test('restores the reserve when the disk has space', async () => {
  const path = `${await databasePath()}-reserve`;
  const reserve = openReserve(path);
  reserve.release();
  expect(existsSync(path)).toBe(false);
  await expect.poll(() => reserve.isReleased(), { timeout: 60_000 }).toBe(false);
  expect(statSync(path).size).toBe(reserveBytes);
});
