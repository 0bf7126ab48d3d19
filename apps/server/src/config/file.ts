import { existsSync, readFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { problemOf } from '@modelwire/schema';
import * as z from 'zod';
import { ConfigError } from './config-error.ts';
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
  const { contents, lineOf } = await readContents(path);
  const parsed = configSchema.safeParse(contents);
  if (parsed.success) return { config: parsed.data, path };
  const problems = parsed.error.issues.map((issue) => describeIssue(issue, contents, lineOf));
  throw new ConfigError(`Invalid configuration in ${path}:\n${problems.join('\n')}`);
}

/** The line of the field at a path, if the format of the file has lines for its fields. */
type LineOf = (path: readonly PropertyKey[]) => number | undefined;

async function readContents(path: string): Promise<{ readonly contents: unknown; readonly lineOf: LineOf }> {
  try {
    if (['.json', '.yaml', '.yml'].includes(extname(path))) return await readData(path);
    const module = (await import(pathToFileURL(path).href)) as { readonly default?: unknown };
    if (module.default === undefined) throw new Error('the module has no default export');
    return { contents: module.default, lineOf: () => undefined };
  } catch (error) {
    throw new ConfigError(`Cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** JSON is read as YAML too: that parser knows the lines. */
async function readData(path: string): Promise<{ readonly contents: unknown; readonly lineOf: LineOf }> {
  const { isMap, isNode, isScalar, LineCounter, parseDocument } = await import('yaml');
  const text = readFileSync(path, 'utf8');
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter });
  const [error] = document.errors;
  const isJSON = extname(path) === '.json';
  if (error && !isJSON) throw error;
  const lineOf: LineOf = (field) => {
    const parent = document.getIn(field.slice(0, -1), true);
    const pair = isMap(parent) && parent.items.find(({ key }) => isScalar(key) && key.value === field.at(-1));
    const node = pair ? pair.key : document.getIn(field, true);
    if (isNode(node) && node.range) return lineCounter.linePos(node.range[0]).line;
    // A missing field: where it belongs.
    return field.length === 0 ? undefined : lineOf(field.slice(0, -1));
  };
  return { contents: isJSON ? JSON.parse(text) : (document.toJS() ?? {}), lineOf };
}

type Issue = z.core.$ZodIssue;

function describeIssue(issue: Issue, contents: unknown, lineOf: LineOf): string {
  const { param, message } = problemOf(new z.ZodError([issue]), contents, configSchema);
  const line = lineOf(issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path);
  const field = issue.code === 'custom' ? `${param ?? '(root)'}: ${issue.message}` : message;
  return `  ${line === undefined ? '' : `line ${line}: `}${field}`;
}
