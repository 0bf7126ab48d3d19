import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFsBlobs } from '@modelwire/blobs-fs';
import { BlobMissingError, ContentCorruptedError } from '@modelwire/ports';
import type { BlobSegment } from '@modelwire/ports';
import { digested } from '@modelwire/ports/content-digest';
import type { Blobs } from '@modelwire/server';
import { copyKey } from '../backup/key-file.ts';
import { openBlobs } from '../blobs.ts';
import { systemMessage } from '../command-failure.ts';
import { ConfigError } from '../config/config-error.ts';
import { createFolder } from '../create-folder.ts';
import type { Settings } from '../settings.ts';
import { version } from '../version.ts';
import { names, recordsFile } from './export-manifest.ts';
import type { ExportManifest, ExportedTable } from './export-manifest.ts';
import { writeLines } from './lines.ts';
import { digestBlob, mapConcurrently } from './blob-copies.ts';
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
  let missing: string | undefined;
  try {
    for (;;) {
      const records = await openRecordSource(settings);
      try {
        const tables = await exportTables(records, folder);
        await onRecords?.();
        const blobs = await exportBlobs(records, { source, target, folder });
        return await complete(folder, { settings, tables, blobs });
      } catch (error) {
        if (error instanceof ContentCorruptedError)
          throw new ConfigError(
            `export: the file contents ${error.key} of the record ${(await findRecordOfBlob(records, error.key)) ?? ''} are damaged: their checksum is not the one with which they were stored. See "Lost or damaged data" in docs/operations/incidents.md.`,
          );
        // A server deletes contents after their record. If a record still refers to them at a later moment, it is damaged.
        if (!(error instanceof BlobMissingError)) throw error;
        if (error.key === missing)
          throw new ConfigError(
            `export: the file contents ${missing} of the record ${(await findRecordOfBlob(records, missing)) ?? ''} are missing from the file storage. See "Lost or damaged data" in docs/operations/incidents.md.`,
          );
        missing = error.key;
      } finally {
        await records.close();
      }
    }
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

interface BlobCopy {
  readonly source: Blobs;
  readonly target: Blobs;
  readonly folder: string;
}

async function exportBlobs(
  records: RecordSource,
  { source, target, folder }: BlobCopy,
): Promise<ExportManifest['blobs']> {
  let bytes = 0;
  async function* lists(): AsyncGenerator<readonly unknown[]> {
    for await (const chunk of records.blobs()) {
      const checksums = await mapConcurrently(chunk, (blob) => exportBlob(blob, source, target));
      bytes += chunk.reduce((sum, blob) => sum + blob.bytes, 0);
      yield chunk.map((blob, index) => [blob.key, blob.bytes, checksums[index]]);
    }
  }
  const { count, sha256 } = await writeLines(join(folder, names.list), lists());
  return { count, bytes, sha256 };
}

/** Resolves to the checksum. */
async function exportBlob({ key, bytes, sha256 }: BlobSegment, source: Blobs, target: Blobs): Promise<string> {
  // Left behind by an interrupted export.
  const existing = await digestBlob(target, key);
  if (existing) {
    const expected = sha256 ?? (await digestBlob(source, key))?.sha256;
    if (existing.bytes === bytes && existing.sha256 === expected) return existing.sha256;
    await target.remove([key]);
  }
  const content = digested(source.read(key));
  await target.write(key, content.stream);
  const result = content.result();
  if (result.bytes !== bytes)
    throw new ConfigError(`export: the contents ${key} have ${result.bytes} bytes instead of ${bytes}.`);
  if (sha256 !== undefined && result.sha256 !== sha256) throw new ContentCorruptedError(key);
  return result.sha256;
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
