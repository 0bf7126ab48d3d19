import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@modelwire/vitest/temporary-folder';
import { expect, test } from 'vitest';
import { createDatabaseDamage } from './database-damage.ts';

function watched() {
  const path = join(temporaryFolder(), 'modelwire.sqlite');
  writeFileSync(path, '');
  const reported: string[] = [];
  const damage = createDatabaseDamage({ path, onDamage: (problem) => reported.push(problem) });
  const fail = (code: string): void =>
    damage
      .observer(undefined)
      .startOperation('read')
      .end({ error: Object.assign(new Error('failed'), { code }) });
  return { path, damage, reported, fail };
}

test.each(['SQLITE_CORRUPT', 'SQLITE_NOTADB'])('%s is a state that is reported once', (code) => {
  const { damage, reported, fail } = watched();
  expect(damage.problem()).toBeUndefined();
  fail(code);
  fail(code);
  expect(damage.problem()).toBe('the database is damaged: stop the server and restore a backup');
  expect(reported).toEqual([damage.problem()]);
});

test('a database file that has vanished is a state that is reported once', () => {
  const { path, damage, reported } = watched();
  rmSync(path);
  expect(damage.problem()).toContain('vanished');
  expect(damage.problem()).toContain('vanished');
  expect(reported).toHaveLength(1);
});

test('other failures are no damage', () => {
  const { damage, reported, fail } = watched();
  fail('SQLITE_BUSY');
  damage.observer(undefined).startOperation('read').end({});
  expect(damage.problem()).toBeUndefined();
  expect(reported).toEqual([]);
});
