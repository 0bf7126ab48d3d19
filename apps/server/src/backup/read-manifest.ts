import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type * as z from 'zod';
import { ConfigError } from '../config/config-error.ts';

/**
 * @throws ConfigError with the message `missing` if the folder has no such file, and with `damaged` if it does not match the schema.
 * @throws the error of the file system if the file cannot be read.
 */
export function readManifestFile<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  { missing, damaged }: { readonly missing: string; readonly damaged: string },
): z.output<Schema> {
  let text: string;
  try {
    // Opening anything else than a file could wait forever.
    if (!statSync(path).isFile()) throw new ConfigError(damaged);
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_STRING_TOO_LONG')
      throw new ConfigError(damaged);
    if (!isMissing(error)) throw error;
    const folder = dirname(path);
    throw new ConfigError(existsSync(folder) ? missing : `The folder ${folder} does not exist.`);
  }
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw new ConfigError(damaged);
  }
}

/** Whether there is no such file, and not that it cannot be read. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
