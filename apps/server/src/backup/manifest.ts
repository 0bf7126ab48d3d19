import { join } from 'node:path';
import * as z from 'zod';
import { keyFile } from './key-file.ts';
import { readManifestFile } from './read-manifest.ts';

/** Names in a backup. */
export const names = {
  manifest: 'manifest.json',
  database: 'modelwire.sqlite',
  blobs: 'blobs',
  key: keyFile,
} as const;

const checksum = z.string().regex(/^[0-9a-f]{64}$/);
const manifestSchema = z.object({
  format: z.literal(1),
  /** ISO 8601. */
  created: z.string(),
  /** Of the server that made it. */
  version: z.string(),
  schemaVersion: z.int(),
  /** SHA-256 of the database file. */
  database: checksum,
  /** SHA-256 of the file with the key of the first start; null if there was none. */
  key: checksum.nullable(),
  /** The secrets in plain text that the backup contains, in words. */
  secrets: z.array(z.string()),
  blobs: z.array(z.object({ key: z.string().regex(/^blob_[0-9a-z]{1,64}$/), bytes: z.int().min(0), sha256: checksum })),
});

/** What a backup contains. It is written last: without it a backup is not complete. */
export type Manifest = z.output<typeof manifestSchema>;

/** @throws ConfigError for a folder that is no complete backup. */
export function readManifest(folder: string): Manifest {
  const path = join(folder, names.manifest);
  return readManifestFile(path, manifestSchema, {
    missing: `${folder} is not a complete backup: it has no ${names.manifest}.`,
    damaged: `${path} is damaged, or was made by a newer version.`,
  });
}
