import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { contractingStatements } from '../contracting-statements.ts';
import type { Migration } from '../pending-migrations.ts';

/** Tests of the migrations of a store. `released`: the file with the names and digests of those that databases have run. */
export function testReleasedMigrations(migrations: readonly Migration[], released: URL): void {
  test('no released migration is changed, moved or removed', () => {
    const digest = (sql: string) => createHash('sha256').update(sql.replaceAll(/\s+/g, ' ').trim()).digest('hex');
    // Databases have run them. Append a new migration to the file; its entries never change.
    expect(migrations.map(({ name, sql }) => ({ name, sha256: digest(sql) }))).toEqual(
      JSON.parse(readFileSync(released, 'utf8')),
    );
  });

  test('migrations keep what servers of the previous version use, or say why none does', () => {
    const unexplained = migrations.filter(({ contracts }) => contracts === undefined);
    expect(unexplained.flatMap(({ sql }) => contractingStatements(sql))).toEqual([]);
  });
}
