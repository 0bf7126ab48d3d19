import { readFileSync } from 'node:fs';
import type * as z from 'zod';
import { ConfigError } from '../config/config-error.ts';

/** @throws ConfigError with the message `missing` if there is no file, and with `damaged` if it does not match the schema. */
export function readManifestFile<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  { missing, damaged }: { readonly missing: string; readonly damaged: string },
): z.output<Schema> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new ConfigError(missing);
  }
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw new ConfigError(damaged);
  }
}
