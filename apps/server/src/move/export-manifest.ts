import { join } from 'node:path';
import * as z from 'zod';
import { keyFile } from '../backup/key-file.ts';
import { readManifestFile } from '../backup/read-manifest.ts';

/** Names in an export. */
export const names = {
  manifest: 'export.json',
  /** Marks a folder as an export that is not complete. */
  marker: 'export.incomplete',
  records: 'records',
  /** The list of contents. */
  list: 'blobs.jsonl',
  blobs: 'blobs',
  key: keyFile,
} as const;

export const recordsFile = (folder: string, table: string): string => join(folder, names.records, `${table}.jsonl`);

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);
/** It is part of a path. */
const tableName = z.string().regex(/^[a-z][a-z0-9_]*$/);
const exportSchema = z.object({
  format: z.literal(1),
  id: z.string().min(1),
  /** ISO 8601. */
  created: z.string(),
  /** Of the server that made it. */
  version: z.string(),
  /** In an order in which they can be imported. The checksum is that of the file. */
  tables: z.array(z.object({ name: tableName, columns: z.array(z.string()), rows: count, sha256 })),
  /** The checksum is that of their list, which contains the checksum of each. */
  blobs: z.object({ count, bytes: count, sha256 }),
  /** SHA-256 of the file with the key that the server created at its first start; null if there was none. */
  key: sha256.nullable(),
});

/** What an export contains. It is written last: without it an export is not complete. */
export type ExportManifest = z.output<typeof exportSchema>;

export type ExportedTable = ExportManifest['tables'][number];

/** @throws ConfigError for a folder that is no complete export. */
export function readExportManifest(folder: string): ExportManifest {
  const path = join(folder, names.manifest);
  return readManifestFile(path, exportSchema, {
    missing: `import: ${folder} is not a complete export: it has no ${names.manifest}. Repeat the export, which resumes.`,
    damaged: `import: ${path} is damaged, or was made by a newer version.`,
  });
}
