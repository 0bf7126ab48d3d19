import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@modelwire/vitest/temporary-folder';
import { expect, test } from 'vitest';
import { requireDatabaseOfContents } from './require-database.ts';

function folder({ database, hasContents }: { database?: string; hasContents: boolean }) {
  const data = temporaryFolder();
  if (database !== undefined) writeFileSync(join(data, 'modelwire.sqlite'), database);
  mkdirSync(join(data, 'blobs', '1a'), { recursive: true });
  if (hasContents) writeFileSync(join(data, 'blobs', '1a', 'blob_1'), 'contents');
  return { data, database: undefined, s3: undefined };
}

test.each([
  ['missing', undefined],
  ['empty', ''],
])('a database that is %s beside existing contents is refused in one line that says what to do', (what, database) => {
  const settings = folder({ ...(database !== undefined && { database }), hasContents: true });
  const path = join(settings.data, 'modelwire.sqlite');
  expect(() => requireDatabaseOfContents(settings)).toThrow(
    new RegExp(`^database: ${path} is ${what}, but .*blobs has the contents of files. Restore a backup, or move .*$`),
  );
});

test('a new folder, and a database with contents, are accepted', () => {
  requireDatabaseOfContents(folder({ hasContents: false }));
  requireDatabaseOfContents(folder({ database: '', hasContents: false }));
  requireDatabaseOfContents(folder({ database: 'SQLite format 3', hasContents: true }));
  expect(() => requireDatabaseOfContents({ data: '/nowhere', database: undefined, s3: undefined })).not.toThrow();
});
