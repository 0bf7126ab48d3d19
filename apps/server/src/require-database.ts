import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from './config/config-error.ts';
import { isMissing } from './backup/read-manifest.ts';
import type { Settings } from './settings.ts';

/**
 * A new database beside existing contents would hide that the records were lost, and nothing would ever delete the contents.
 *
 * @throws ConfigError if the database file is missing or empty, and there are contents of files.
 */
export function requireDatabaseOfContents({ data, database, s3 }: Pick<Settings, 'data' | 'database' | 's3'>): void {
  if (database !== undefined || s3 !== undefined) return;
  const path = join(data, 'modelwire.sqlite');
  const size = sizeOf(path);
  const blobs = join(data, 'blobs');
  if ((size ?? 0) > 0 || !hasContents(blobs)) return;
  throw new ConfigError(
    `database: ${path} is ${size === undefined ? 'missing' : 'empty'}, but ${blobs} has the contents of files. Restore a backup, or move ${blobs} to another place to start without records.`,
  );
}

function sizeOf(path: string): number | undefined {
  try {
    return statSync(path).size;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Contents are in subfolders, named by their keys. */
function hasContents(blobs: string): boolean {
  try {
    return readdirSync(blobs, { withFileTypes: true }).some(
      (folder) =>
        folder.isDirectory() && readdirSync(join(blobs, folder.name)).some((name) => /^blob_[0-9a-z]+$/.test(name)),
    );
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
