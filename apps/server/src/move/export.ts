import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFsBlobs } from '@modelwire/blobs-fs';
import { copyKey } from '../backup/key-file.ts';
import { openBlobs } from '../storage/blobs.ts';
import { systemMessage } from '../commands/command-failure.ts';
import { ConfigError } from '../config/config-error.ts';
import { copyRecordsWithContents } from '../copies/copy-contents.ts';
import type { CopiedBlob } from '../copies/copy-contents.ts';
import { createFolder } from '../storage/create-folder.ts';
import type { Settings } from '../config/settings.ts';
import { version } from '../start/version.ts';
import { names, recordsFile } from './export-manifest.ts';
import type { ExportManifest, ExportedTable } from './export-manifest.ts';
import { writeLines } from './lines.ts';
import { openRecordSource } from './record-databases.ts';
import type { RecordSource } from './record-databases.ts';

/**
 * Exports all records and file contents of the configured storage to a folder, which can be imported into any other: the records as they were
 * at one moment, then the contents that they refer to. Servers may be running; what they write later is not in the export. An export that was
 * interrupted can be repeated: the records are read again, and contents that were copied are kept if they have the checksum of the source.
 *
 * @param onRecords For tests: called after the records were written, before file contents are copied.
 * @throws ConfigError for a folder that cannot be used, and for a database that cannot be read.
 */
export async function exportTo(
  settings: Settings,
  folder: string,
  onRecords?: () => Promise<void>,
): Promise<ExportManifest> {
  requireDatabase(settings);
  beginFolder(folder);
  const source = await openBlobs(settings);
  const target = await openFsBlobs({ path: join(folder, names.blobs) });
  try {
    return await copyRecordsWithContents({
      command: 'export',
      source,
      target,
      takeSnapshot: async () => {
        const records = await openRecordSource(settings);
        return { ...records, findRecordOfBlob: (key: string) => findRecordOfBlob(records, key) };
      },
      copy: async (records, contents) => {
        const tables = await exportTables(records, folder);
        await onRecords?.();
        const blobs = await writeContentsList(contents, folder);
        return complete(folder, { settings, tables, blobs });
      },
    });
  } finally {
    await Promise.all([source.close(), target.close()]);
  }
}

/** Whether the folder contains a complete export. */
export function isCompleteExport(folder: string): boolean {
  return existsSync(join(folder, names.manifest)) && !existsSync(join(folder, names.marker));
}

/** Before anything is created: a data folder that does not exist is a mistake. */
function requireDatabase({ data, database }: Settings): void {
  const path = join(data, 'modelwire.sqlite');
  if (database !== undefined || existsSync(path)) return;
  throw new ConfigError(
    `export: There is no database at ${path}. Set MODELWIRE_DATA to the data folder of the server, or MODELWIRE_DATABASE_URL.`,
  );
}

/** The ID of a record that refers to a blob. Reads the tables with references once. */
async function findRecordOfBlob(records: RecordSource, key: string): Promise<string | undefined> {
  const idColumns = new Map([
    ['segments', 'owner_id'],
    ['upload_parts', 'upload_id'],
  ]);
  for (const table of records.tables) {
    const idColumn = idColumns.get(table.name);
    if (idColumn === undefined) continue;
    const [keyAt, idAt] = [table.columns.indexOf('blob_key'), table.columns.indexOf(idColumn)];
    for await (const rows of records.rows(table)) {
      const row = rows.find((one) => one[keyAt] === key);
      if (row) return String(row[idAt]);
    }
  }
  return undefined;
}

/** @throws ConfigError for a folder that contains anything other than an interrupted export. */
function beginFolder(folder: string): void {
  const marker = join(folder, names.marker);
  try {
    createFolder(folder);
    if (readdirSync(folder).length === 0) {
      chmodSync(folder, 0o700);
      writeFileSync(marker, '', { mode: 0o600 });
    }
    if (existsSync(marker)) {
      mkdirSync(join(folder, names.records), { recursive: true, mode: 0o700 });
      return;
    }
  } catch (error) {
    throw new ConfigError(`export: cannot use ${systemMessage(error) ?? folder}.`, { cause: error });
  }
  throw new ConfigError(`export: the folder ${folder} is not empty. Specify a new folder.`);
}

async function exportTables(records: RecordSource, folder: string): Promise<readonly ExportedTable[]> {
  const tables: ExportedTable[] = [];
  for (const table of records.tables) {
    const { count, sha256 } = await writeLines(recordsFile(folder, table.name), records.rows(table));
    tables.push({ name: table.name, columns: [...table.columns], rows: count, sha256 });
  }
  return tables;
}

async function writeContentsList(
  contents: AsyncIterable<readonly CopiedBlob[]>,
  folder: string,
): Promise<ExportManifest['blobs']> {
  let bytes = 0;
  async function* lists(): AsyncGenerator<readonly unknown[]> {
    for await (const chunk of contents) {
      bytes += chunk.reduce((sum, blob) => sum + blob.bytes, 0);
      yield chunk.map((blob) => [blob.key, blob.bytes, blob.sha256]);
    }
  }
  const { count, sha256 } = await writeLines(join(folder, names.list), lists());
  return { count, bytes, sha256 };
}

interface ExportParts extends Pick<ExportManifest, 'blobs'> {
  readonly settings: Settings;
  readonly tables: readonly ExportedTable[];
}

async function complete(folder: string, { settings, tables, blobs }: ExportParts): Promise<ExportManifest> {
  const manifest: ExportManifest = {
    format: 1,
    id: randomUUID(),
    created: new Date().toISOString(),
    version,
    tables: [...tables],
    blobs,
    key: await copyKey(settings.data, folder),
  };
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  writeFileSync(join(folder, names.manifest), text, { mode: 0o600, flush: true });
  rmSync(join(folder, names.marker));
  return manifest;
}
