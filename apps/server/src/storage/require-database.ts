import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Blobs, Stores } from '@modelwire/ports';
import { openBlobs } from './blobs.ts';
import { ConfigError } from '../config/config-error.ts';
import { isMissing } from '../backup/read-manifest.ts';
import type { Settings } from '../config/settings.ts';

type Places = Pick<Settings, 'data' | 'database' | 's3'>;

/**
 * Checked before the database is opened: a new database beside existing contents would hide that the records were lost, and nothing would ever
 * delete the contents.
 *
 * @throws ConfigError if the database file is missing or empty, and there are contents of files.
 */
export async function requireDatabaseFile(settings: Settings): Promise<void> {
  if (settings.database !== undefined) return;
  const path = join(settings.data, 'modelwire.sqlite');
  const size = sizeOf(path);
  if ((size ?? 0) > 0) return;
  const blobs = await openBlobs(settings);
  try {
    if ((await blobs.isEmpty?.()) !== false) return;
  } finally {
    await blobs.close();
  }
  throw problem(`${path} is ${size === undefined ? 'missing' : 'empty'}`, settings);
}

/**
 * Checked after the database was opened: it may have been emptied, or be another one.
 *
 * @throws ConfigError if the database knows no contents of files, and there are some.
 */
export async function requireRecordsOfContents(
  places: Places,
  blobs: Pick<Blobs, 'isEmpty'>,
  { ledger }: Pick<Stores, 'ledger'>,
): Promise<void> {
  if (!(await ledger.isEmpty()) || (await blobs.isEmpty?.()) !== false) return;
  // Another server may have stored its first file meanwhile.
  if (!(await ledger.isEmpty())) return;
  const { data, database } = places;
  const name = database === undefined ? join(data, 'modelwire.sqlite') : 'the database';
  throw problem(`${name} has no records of files`, places);
}

function problem(what: string, { data, s3 }: Places): ConfigError {
  const [contents, remedy] = s3
    ? [`the bucket ${s3.bucket}`, 'set another prefix or bucket']
    : [join(data, 'blobs'), `move ${join(data, 'blobs')} to another place`];
  return new ConfigError(
    `database: ${what}, but ${contents} has the contents of files. Restore a backup, or ${remedy} to start without records.`,
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
