import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { usageError } from './cli-error.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a JSON text; `undefined` if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @throws a usage error that begins with `where` for a text that is no JSON object. */
export function parseJsonObject(text: string, where: string): JsonObject {
  const value = parseJson(text);
  if (value === undefined) throw usageError(`${where}: not valid JSON.`);
  if (!isRecord(value)) throw usageError(`${where}: expected a JSON object.`);
  return value;
}

/** The value of an option such as `--schema`: a file, or inline JSON. */
export async function readJsonObject(option: string, pathOrJson: string, cwd: string): Promise<JsonObject> {
  if (isInlineJson(pathOrJson)) return parseJsonObject(pathOrJson, `Invalid ${option}`);
  return parseJsonObject(await readFile(resolve(cwd, pathOrJson), 'utf8'), `Invalid ${option} ${pathOrJson}`);
}

export const isInlineJson = (pathOrJson: string): boolean => pathOrJson.trimStart().startsWith('{');
