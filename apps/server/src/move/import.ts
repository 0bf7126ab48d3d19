import { chmodSync, copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { openFsBlobs } from '@modelwire/blobs-fs';
import { BlobMissingError, ContentCorruptedError, isNoSpace, isStorageUnavailable } from '@modelwire/ports';
import type { Blobs } from '@modelwire/ports';
import { StoreError } from '@modelwire/store-sqlite';
import * as z from 'zod';
import { checksumOfFile } from '../backup/checksum.ts';
import { isMissing } from '../backup/read-manifest.ts';
import { openBlobs } from '../storage/blobs.ts';
import { ConfigError } from '../config/config-error.ts';
import { digestBlob, mapConcurrently, putBackBlob } from '../copies/copy-contents.ts';
import type { CopiedBlob } from '../copies/copy-contents.ts';
import { createFolder } from '../storage/create-folder.ts';
import { lockFolder } from '../storage/folder-lock.ts';
import type { Settings } from '../config/settings.ts';
import { names, readExportManifest, recordsFile } from './export-manifest.ts';
import type { ExportManifest } from './export-manifest.ts';
import { digestLines, readLines } from './lines.ts';
import { openRecordSource, openRecordTarget } from './record-databases.ts';
import type { RecordSource, RecordTarget } from './record-databases.ts';

/** Contents between two checkpoints. */
const blobsPerChunk = 32;
/** Records of a transaction. */
const rowsPerChunk = 500;
/** Name of the contents in the progress of an import. No table has it. */
const contents = 'contents';

const rowSchema = z.array(z.union([z.string(), z.number(), z.null()]));
const blobSchema = z
  .tuple([z.string().regex(/^blob_[0-9a-z]{1,64}$/), z.int().min(0), z.string().regex(/^[0-9a-f]{64}$/)])
  .transform(([key, bytes, sha256]) => ({ key, bytes, sha256 }));

/** A part of an export, as it was found in the target after the import. */
interface ImportedPart {
  /** A table, or `contents`. */
  readonly name: string;
  readonly expected: number;
  readonly found: number;
  readonly isEqual: boolean;
}

export interface ImportReport {
  readonly manifest: ExportManifest;
  /** Whether it was already imported completely, so that nothing was done. */
  readonly wasComplete: boolean;
  readonly parts: readonly ImportedPart[];
}

export interface ImportOptions {
  /** For tests: called after each checkpoint. */
  readonly onCheckpoint?: (part: string) => void;
}

/**
 * Imports an export into the configured storage, which must have no records: contents, then records, in transactions that also store how much
 * was imported. An import that was interrupted resumes. At the end, all records and contents are read again and compared with the checksums of
 * the export. Servers refuse to start on the database until everything is equal.
 *
 * @throws ConfigError for an export that is incomplete or damaged, and for a database with other records.
 */
export async function importFrom(
  settings: Settings,
  folder: string,
  { onCheckpoint = () => {} }: ImportOptions = {},
): Promise<ImportReport> {
  const manifest = readExportManifest(folder);
  await checkFiles(folder, manifest);
  const unlock = lockTarget(settings);
  try {
    await requireWritableBlobs(settings);
    const target = await openRecordTarget(settings, manifest.id);
    try {
      if (target.isComplete) return { manifest, wasComplete: true, parts: [] };
      requireSameTables(manifest, target);
      await importBlobs({ settings, folder, target, onCheckpoint });
      for (const { name } of manifest.tables) await importTable({ name, folder, target, onCheckpoint });
      await target.finish();
      const parts = await verify(settings, folder, manifest);
      if (parts.every(({ isEqual }) => isEqual)) {
        importKey(settings, folder, manifest);
        await target.complete();
      }
      return { manifest, wasComplete: false, parts };
    } finally {
      await target.close();
    }
  } finally {
    await unlock();
  }
}

/** Fails before anything is imported, for example if there is no such bucket. */
async function requireWritableBlobs(settings: Settings): Promise<void> {
  const blobs = await openBlobs(settings);
  try {
    await blobs.check();
  } finally {
    await blobs.close();
  }
}

/** With SQLite, no server may use the data folder. Servers refuse a PostgreSQL database during an import. */
function lockTarget({ data, database }: Settings): () => Promise<void> {
  if (database !== undefined) return () => Promise.resolve();
  createFolder(data);
  return lockFolder(data);
}

/** Nothing is imported from a damaged export. The contents are checked as they are copied. */
async function checkFiles(folder: string, { tables, blobs, key }: ExportManifest): Promise<void> {
  const files = [
    ...tables.map(({ name, sha256 }) => ({ path: recordsFile(folder, name), sha256 })),
    { path: join(folder, names.list), sha256: blobs.sha256 },
    ...(key === null ? [] : [{ path: join(folder, names.key), sha256: key }]),
  ];
  for (const { path, sha256 } of files) {
    if ((await checksumIfExists(path)) !== sha256) throw damaged(path);
  }
}

async function checksumIfExists(path: string): Promise<string | undefined> {
  try {
    return await checksumOfFile(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function requireSameTables({ tables, version }: ExportManifest, target: RecordTarget): void {
  const described = (all: readonly { readonly name: string; readonly columns: readonly string[] }[]) =>
    new Map(all.map(({ name, columns }) => [name, columns.join(', ')]));
  const [exported, own] = [described(tables), described(target.tables)];
  const different = [...new Set([...exported.keys(), ...own.keys()])].filter(
    (name) => exported.get(name) !== own.get(name),
  );
  if (different.length === 0) return;
  throw new ConfigError(
    `import: the export was made by version ${version}, whose tables differ (${different.join(', ')}). Import it with that version, then upgrade.`,
  );
}

interface ImportStep {
  readonly folder: string;
  readonly target: RecordTarget;
  readonly onCheckpoint: (part: string) => void;
}

async function importTable({ name, folder, target, onCheckpoint }: ImportStep & { readonly name: string }) {
  const table = target.tables.find((one) => one.name === name);
  if (!table) return;
  const path = recordsFile(folder, name);
  const options = { parse: rowSchema.parse, skip: target.position(name), chunkSize: rowsPerChunk };
  for await (const rows of readLines(path, options)) {
    try {
      await target.append(table, rows);
    } catch (error) {
      throw asRefusedRows(error, { path, first: target.position(name) + 1, count: rows.length });
    }
    onCheckpoint(name);
  }
}

/** The database refuses rows if a line was changed: a value that is not unique, or of another type. */
function asRefusedRows(
  error: unknown,
  { path, first, count }: { readonly path: string; readonly first: number; readonly count: number },
): unknown {
  if (!(error instanceof StoreError) || isNoSpace(error) || isStorageUnavailable(error)) return error;
  if (!/^(?:SQLITE_(?:CONSTRAINT|MISMATCH|RANGE)|SQLITE|2[23]\w{3})$/.test(error.code)) return error;
  return new ConfigError(
    `The database refused a record of ${path}, lines ${first} to ${first + count - 1}: ${error.message} (${error.code}). Export again.`,
  );
}

async function importBlobs({
  settings,
  folder,
  target,
  onCheckpoint,
}: ImportStep & { readonly settings: Settings }): Promise<void> {
  const copies = await openFsBlobs({ path: join(folder, names.blobs) });
  try {
    const blobs = await openBlobs(settings);
    try {
      const options = { parse: blobSchema.parse, skip: target.position(contents), chunkSize: blobsPerChunk };
      for await (const chunk of readLines(join(folder, names.list), options)) {
        await mapConcurrently(chunk, (blob) => importBlob(blob, copies, blobs));
        await target.advance(contents, target.position(contents) + chunk.length);
        onCheckpoint(contents);
      }
    } finally {
      await blobs.close();
    }
  } finally {
    await copies.close();
  }
}

async function importBlob(blob: CopiedBlob, source: Blobs, target: Blobs): Promise<void> {
  try {
    await putBackBlob(blob, source, target);
  } catch (error) {
    throw error instanceof BlobMissingError || error instanceof ContentCorruptedError ? damaged(blob.key) : error;
  }
}

/** Reads everything from the target again. */
async function verify(settings: Settings, folder: string, manifest: ExportManifest): Promise<readonly ImportedPart[]> {
  const parts: ImportedPart[] = [];
  const records = await openRecordSource(settings);
  try {
    for (const { name, rows, sha256 } of manifest.tables) {
      const table = records.tables.find((one) => one.name === name);
      const found = table && (await digestLines(records.rows(table)));
      parts.push({ name, expected: rows, found: found?.count ?? 0, isEqual: found?.sha256 === sha256 });
    }
    await requireReferencedBlobs(records, folder);
  } finally {
    await records.close();
  }
  const found = await countIntactBlobs(settings, folder);
  const expected = manifest.blobs.count;
  return [...parts, { name: contents, expected, found, isEqual: found === expected }];
}

/** Both the references and the list of contents are in the order of their keys. */
async function requireReferencedBlobs(records: RecordSource, folder: string): Promise<void> {
  const listed = listedKeys(folder);
  let next = await listed.next();
  let missing = 0;
  let example: string | undefined;
  try {
    for await (const chunk of records.blobs()) {
      for (const { key } of chunk) {
        while (!next.done && next.value < key) next = await listed.next();
        if (!next.done && next.value === key) continue;
        missing++;
        example ??= key;
      }
    }
  } finally {
    await listed.return(undefined);
  }
  if (example === undefined) return;
  throw new ConfigError(
    `import: the export is damaged: ${names.list} does not contain ${missing} of the contents that records refer to, such as ${example}. Servers refuse to start on this database. Empty it, export again, and import that.`,
  );
}

async function* listedKeys(folder: string): AsyncGenerator<string, undefined> {
  const options = { parse: blobSchema.parse, skip: 0, chunkSize: rowsPerChunk };
  for await (const chunk of readLines(join(folder, names.list), options)) yield* chunk.map(({ key }) => key);
}

async function countIntactBlobs(settings: Settings, folder: string): Promise<number> {
  const blobs = await openBlobs(settings);
  let count = 0;
  try {
    const options = { parse: blobSchema.parse, skip: 0, chunkSize: blobsPerChunk };
    for await (const chunk of readLines(join(folder, names.list), options)) {
      const digests = await mapConcurrently(chunk, ({ key }) => digestBlob(blobs, key));
      count += chunk.filter(({ sha256 }, index) => digests[index]?.sha256 === sha256).length;
    }
  } finally {
    await blobs.close();
  }
  return count;
}

/** The server reads its key from the data folder only if it has no configured keys. */
function importKey({ data }: Settings, folder: string, { key }: ExportManifest): void {
  const to = join(data, names.key);
  if (key === null || existsSync(to)) return;
  createFolder(data);
  copyFileSync(join(folder, names.key), to);
  chmodSync(to, 0o600);
}

function damaged(name: string): ConfigError {
  return new ConfigError(
    `import: ${name} in the export is damaged: it is missing or its checksum is wrong. Export again.`,
  );
}
