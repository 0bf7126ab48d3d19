import { chmodSync, existsSync, readdirSync, rmSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openFsBlobs } from '@modelwire/blobs-fs';
import { isNoSpace } from '@modelwire/ports';
import { StoreError, StoreTooNewError } from '@modelwire/store-sqlite';
import { backupSqlite, findRecordOfBlob } from '@modelwire/store-sqlite/internal';
import type { SqliteCopy } from '@modelwire/store-sqlite/internal';
import { openBlobs } from '../storage/blobs.ts';
import { systemMessage } from '../commands/command-failure.ts';
import { ConfigError } from '../config/config-error.ts';
import { copyRecordsWithContents } from '../copies/copy-contents.ts';
import type { CopiedBlob, Snapshot } from '../copies/copy-contents.ts';
import { createFolder } from '../storage/create-folder.ts';
import type { Settings } from '../config/settings.ts';
import { version } from '../start/version.ts';
import { checksumOfFile } from './checksum.ts';
import { copyKey } from './key-file.ts';
import { isWithin } from './is-within.ts';
import { names } from './manifest.ts';
import { secretsOf } from './secrets.ts';
import type { Manifest } from './manifest.ts';

/**
 * Backs up the SQLite database and all file contents to an empty or new folder, while servers run: first a copy of the database as it was at one
 * moment, then the contents that its records refer to. Contents that a server deleted in between belong to records that were deleted as well:
 * the database is then copied again.
 *
 * @param onSnapshot For tests: called after each copy of the database, before file contents are copied.
 * @throws ConfigError for a folder that cannot be used, and for PostgreSQL, which has its own tools.
 */
export async function backUp(settings: Settings, folder: string, onSnapshot?: () => Promise<void>): Promise<Manifest> {
  if (settings.database !== undefined)
    throw new ConfigError(
      'backup: the records are in PostgreSQL. Back them up with pg_dump, and then the bucket or the folder blobs. See docs/operations/backup.md.',
    );
  requireDatabase(settings);
  requireOtherFolder(settings, folder);
  const firstCreated = createEmptyFolder(folder);
  try {
    return await backUpTo(settings, folder, onSnapshot);
  } catch (error) {
    removeIncomplete(folder, firstCreated);
    throw error;
  }
}

async function backUpTo(settings: Settings, folder: string, onSnapshot?: () => Promise<void>): Promise<Manifest> {
  const source = await openBlobs(settings);
  const target = await openFsBlobs({ path: join(folder, names.blobs) });
  const database = join(folder, names.database);
  try {
    return await copyRecordsWithContents({
      command: 'backup',
      source,
      target,
      takeSnapshot: () => snapshotOf(settings, database),
      copy: async ({ copy }, contents) => {
        await onSnapshot?.();
        const blobs: CopiedBlob[] = [];
        for await (const chunk of contents) blobs.push(...chunk);
        const key = await copyKey(settings.data, folder);
        const manifest: Manifest = {
          format: 1,
          created: new Date().toISOString(),
          version,
          schemaVersion: copy.schemaVersion,
          database: await checksumOfFile(database),
          key,
          secrets: secretsOf({ hasKey: key !== null, webhooks: copy.webhooks }),
          blobs,
        };
        const text = `${JSON.stringify(manifest, null, 2)}\n`;
        writeFileSync(join(folder, names.manifest), text, { mode: 0o600, flush: true });
        return manifest;
      },
    });
  } finally {
    await Promise.all([source.close(), target.close()]);
  }
}

async function snapshotOf(settings: Settings, database: string): Promise<Snapshot & { readonly copy: SqliteCopy }> {
  const copy = await copyDatabase(settings, database);
  return {
    copy,
    async *blobs() {
      yield copy.blobs;
    },
    findRecordOfBlob: (key) => Promise.resolve(findRecordOfBlob(database, key)),
    close: () => Promise.resolve(),
  };
}

async function copyDatabase({ data }: Settings, target: string): Promise<SqliteCopy> {
  try {
    return await backupSqlite({ path: join(data, 'modelwire.sqlite'), target });
  } catch (error) {
    if (isNoSpace(error))
      throw new ConfigError(`backup: cannot write ${target}: the disk is full. Free space, then repeat the command.`);
    if (error instanceof StoreError || error instanceof StoreTooNewError)
      throw new ConfigError(`backup: ${error.message}`, { cause: error });
    throw error;
  }
}

/** Before anything is created: a data folder that does not exist is a mistake. */
function requireDatabase({ data }: Settings): void {
  const path = join(data, 'modelwire.sqlite');
  if (!existsSync(path))
    throw new ConfigError(
      `backup: There is no database at ${path}. Set MODELWIRE_DATA to the data folder of the server.`,
    );
}

/** The server manages the folder `blobs`, and a restore asks to move it away. */
function requireOtherFolder({ data }: Settings, folder: string): void {
  const blobs = join(data, names.blobs);
  if (!isWithin(folder, blobs)) return;
  throw new ConfigError(
    `backup: ${folder} is in ${blobs}, which contains the files of the server. Specify another folder.`,
  );
}

/** Returns the first folder that was created, if any. */
function createEmptyFolder(folder: string): string | undefined {
  let entries: readonly string[];
  try {
    const firstCreated = createFolder(folder);
    entries = readdirSync(folder);
    if (entries.length === 0) {
      chmodSync(folder, 0o700);
      return firstCreated;
    }
  } catch (error) {
    throw new ConfigError(`backup: cannot use ${systemMessage(error) ?? folder}.`, { cause: error });
  }
  const isInterrupted = entries.includes(names.database) && !entries.includes(names.manifest);
  throw new ConfigError(
    isInterrupted
      ? `backup: the folder ${folder} contains a backup that was interrupted or is still running. Delete it, or specify a new folder.`
      : `backup: the folder ${folder} is not empty. Specify a new folder.`,
  );
}

/** So that the command can be repeated with the same folder. */
function removeIncomplete(folder: string, firstCreated: string | undefined): void {
  try {
    for (const name of Object.values(names)) rmSync(join(folder, name), { recursive: true, force: true });
    if (firstCreated === undefined) return;
    // Not recursive: the folders above may contain another backup meanwhile.
    for (let path = folder; path.length >= firstCreated.length; path = dirname(path)) rmdirSync(path);
  } catch {
    // The error of the backup is more useful.
  }
}
