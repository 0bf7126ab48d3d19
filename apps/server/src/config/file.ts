import { existsSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigError } from './config-error.ts';
import { describeProblems, readDataFile } from './data-file.ts';
import type { FileContents } from './data-file.ts';
import { configSchema } from './schema.ts';
import type { Config } from './schema.ts';

const fileNames = ['ts', 'mts', 'js', 'mjs', 'json', 'yaml', 'yml'].map((extension) => `modelwire.config.${extension}`);

export interface LoadedConfig {
  readonly config: Config;
  /** The configuration file; undefined if there is none. */
  readonly path: string | undefined;
}

/**
 * Reads the configuration file: the given file, otherwise the first `modelwire.config.*` in the folder, otherwise none.
 *
 * @throws ConfigError that names the file, each invalid field with its line, and the field that a misspelled one may mean.
 */
export async function loadConfigFile(folder: string, givenPath: string | undefined): Promise<LoadedConfig> {
  const path =
    givenPath === undefined
      ? fileNames.map((name) => resolve(folder, name)).find(existsSync)
      : resolve(folder, givenPath);
  if (path === undefined) return { config: {}, path };
  if (!existsSync(path)) throw new ConfigError(`${path}: file not found`);
  const file = await readContents(path);
  const parsed = configSchema.safeParse(file.contents);
  if (parsed.success) return { config: parsed.data, path };
  throw new ConfigError(`Invalid configuration in ${path}:\n${describeProblems(parsed.error, file, configSchema)}`);
}

async function readContents(path: string): Promise<FileContents> {
  try {
    if (['.json', '.yaml', '.yml'].includes(extname(path))) return await readDataFile(path);
    const module = (await import(pathToFileURL(path).href)) as { readonly default?: unknown };
    if (module.default === undefined) throw new Error('the module has no default export');
    return { contents: module.default, lineOf: () => undefined };
  } catch (error) {
    throw new ConfigError(`Cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
