import { existsSync, readFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as z from 'zod';
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
 * @throws ConfigError that names the file and each invalid field.
 */
export async function loadConfigFile(folder: string, givenPath: string | undefined): Promise<LoadedConfig> {
  const path =
    givenPath === undefined
      ? fileNames.map((name) => resolve(folder, name)).find(existsSync)
      : resolve(folder, givenPath);
  if (path === undefined) return { config: {}, path };
  if (!existsSync(path)) throw new ConfigError(`${path}: file not found`);
  const parsed = configSchema.safeParse(await readContents(path));
  if (!parsed.success) throw new ConfigError(`Invalid configuration in ${path}:\n${formatIssues(parsed.error)}`);
  return { config: parsed.data, path };
}

async function readContents(path: string): Promise<unknown> {
  try {
    switch (extname(path)) {
      case '.json':
        return JSON.parse(readFileSync(path, 'utf8'));
      case '.yaml':
      case '.yml':
        return (await import('yaml')).parse(readFileSync(path, 'utf8')) ?? {};
      default: {
        const module = (await import(pathToFileURL(path).href)) as { readonly default?: unknown };
        if (module.default === undefined) throw new Error('the module has no default export');
        return module.default;
      }
    }
  } catch (error) {
    throw new ConfigError(`Cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function formatIssues(error: z.ZodError): string {
  return error.issues
    .flatMap((issue) =>
      (issue.code === 'invalid_union' ? (deepestBranch(issue.errors) ?? [issue]) : [issue]).map(
        (one) => [issue.path, one] as const,
      ),
    )
    .map(
      ([base, issue]) =>
        `  ${[...base, ...(base === issue.path ? [] : issue.path)].join('.') || '(root)'}: ${issue.message}`,
    )
    .join('\n');
}

/** The issues of the union branch that matched deepest: they are the most specific. */
function deepestBranch(branches: readonly (readonly z.core.$ZodIssue[])[]): readonly z.core.$ZodIssue[] | undefined {
  return [...branches].sort((a, b) => (b[0]?.path.length ?? 0) - (a[0]?.path.length ?? 0))[0];
}
