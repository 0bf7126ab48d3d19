import { accessSync, constants, copyFileSync, chmodSync, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openFsBlobs } from '@modelwire/blobs-fs';
import { BlobMissingError, ContentCorruptedError } from '@modelwire/ports';
import type { Blobs } from '@modelwire/ports';
import { StoreError, StoreTooNewError } from '@modelwire/store-sqlite';
import { inspectSqliteCopy } from '@modelwire/store-sqlite/internal';
import type { SqliteCopy } from '@modelwire/store-sqlite/internal';
import { openBlobs } from '../storage/blobs.ts';
import { ConfigError } from '../config/config-error.ts';
import { putBackBlob } from '../copies/copy-contents.ts';
import type { CopiedBlob } from '../copies/copy-contents.ts';
import { createFolder } from '../storage/create-folder.ts';
import { lockFolder } from '../storage/folder-lock.ts';
import type { Settings } from '../config/settings.ts';
import { openStores } from '../storage/stores.ts';
import { checksumOfFile } from './checksum.ts';
import { names, readManifest } from './manifest.ts';
import type { Manifest } from './manifest.ts';
import { isMissing } from './read-manifest.ts';

/**
 * Restores a backup into the data folder, which must have no database. Every checksum is verified; the database is put in place last, so that an
 * interrupted restore can be repeated. Migrates the tables of a backup of an older version.
 *
 * @throws ConfigError for a backup that is incomplete, damaged or of a newer version, and for a data folder in use or with a database.
 */
export async function restore(settings: Settings, folder: string): Promise<Manifest> {
  if (settings.database !== undefined)
    throw new ConfigError(
      'restore: backups can be restored to SQLite only. Unset `database` (MODELWIRE_DATABASE_URL).',
    );
  const manifest = readManifest(folder);
  const database = join(settings.data, 'modelwire.sqlite');
  if (existsSync(database))
    throw new ConfigError(
      `restore: ${database} exists. Move it and the folder blobs to another place, or set MODELWIRE_DATA to another folder.`,
    );
  createFolder(settings.data);
  const unlock = lockFolder(settings.data);
  try {
    // On a copy: nothing writes to the backup.
    const partial = `${database}.restoring`;
    requireFile(folder, names.database);
    // Left behind by an interrupted restore. A symbolic link is not followed.
    rmSync(partial, { force: true });
    copyFileSync(join(folder, names.database), partial, constants.COPYFILE_EXCL);
    chmodSync(partial, 0o600);
    if ((await checksumOfFile(partial)) !== manifest.database) throw damaged(names.database);
    requireReferencedBlobs(checkDatabase(partial), manifest);
    await restoreBlobs(settings, folder, manifest);
    await restoreKey(settings, folder, manifest);
    // Of a database that was here before: SQLite would apply them to this one.
    for (const suffix of ['-wal', '-shm']) rmSync(database + suffix, { force: true });
    renameSync(partial, database);
    // Migrates the tables.
    await (await openStores(settings)).close();
  } finally {
    await unlock();
  }
  return manifest;
}

function checkDatabase(path: string): SqliteCopy {
  try {
    return inspectSqliteCopy(path);
  } catch (error) {
    if (error instanceof StoreError || error instanceof StoreTooNewError)
      throw new ConfigError(`restore: ${error.message}`);
    throw error;
  }
}

/** The contents of the manifest are verified one by one: they must be all that the records refer to. */
function requireReferencedBlobs({ blobs: referenced }: SqliteCopy, { blobs }: Manifest): void {
  const listed = new Map(blobs.map((blob) => [blob.key, blob]));
  const missing = referenced.filter(({ key, bytes, sha256 }) => {
    const blob = listed.get(key);
    return blob?.bytes !== bytes || (sha256 !== undefined && blob.sha256 !== sha256);
  });
  const [example] = missing;
  if (!example) return;
  throw new ConfigError(
    `restore: the backup is damaged: ${names.manifest} does not contain ${missing.length} of the ${referenced.length} contents that records refer to, such as ${example.key} (${example.bytes} bytes). Use another backup.`,
  );
}

async function restoreBlobs(settings: Settings, folder: string, { blobs }: Manifest): Promise<void> {
  const source = await openFsBlobs({ path: join(folder, names.blobs) });
  try {
    const target = await openBlobs(settings);
    try {
      for (const blob of blobs) await restoreBlob(blob, source, target);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function restoreBlob(blob: CopiedBlob, source: Blobs, target: Blobs): Promise<void> {
  try {
    await putBackBlob(blob, source, target);
  } catch (error) {
    throw error instanceof BlobMissingError || error instanceof ContentCorruptedError ? damaged(blob.key) : error;
  }
}

async function restoreKey({ data }: Settings, folder: string, { key }: Manifest): Promise<void> {
  const to = join(data, names.key);
  if (key === null || existsSync(to)) return;
  requireFile(folder, names.key);
  if ((await checksumOfFile(join(folder, names.key))) !== key) throw damaged(names.key);
  copyFileSync(join(folder, names.key), to);
  chmodSync(to, 0o600);
}

function requireFile(folder: string, name: string): void {
  try {
    accessSync(join(folder, name), constants.R_OK);
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new ConfigError(`restore: the backup ${folder} is damaged: ${name} is missing. Use another backup.`);
  }
}

function damaged(name: string): ConfigError {
  return new ConfigError(
    `restore: ${name} in the backup is damaged: it is missing or its checksum is wrong. Use another backup.`,
  );
}
