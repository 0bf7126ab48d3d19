import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { ConfigError } from '../config/config-error.ts';

/** Names in a backup. */
export const names = {
  manifest: 'manifest.json',
  database: 'modelwire.sqlite',
  blobs: 'blobs',
  key: 'api-key',
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
  blobs: z.array(z.object({ key: z.string(), bytes: z.int().min(0), sha256: checksum })),
});

/** What a backup contains. It is written last: without it a backup is not complete. */
export type Manifest = z.output<typeof manifestSchema>;

/** @throws ConfigError for a folder that is no complete backup. */
export function readManifest(folder: string): Manifest {
  let text: string;
  try {
    text = readFileSync(join(folder, names.manifest), 'utf8');
  } catch {
    throw new ConfigError(`${folder} is not a complete backup: it has no ${names.manifest}.`);
  }
  const parsed = manifestSchema.safeParse(parseJson(text));
  if (!parsed.success)
    throw new ConfigError(`${join(folder, names.manifest)} is damaged, or was made by a newer version.`);
  return parsed.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
