import { existsSync, readFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse as parseYaml } from 'yaml';
import type * as z from 'zod';
import { ConfigError } from './config-error.ts';
import { configSchema } from './schema.ts';
import type { Config } from './schema.ts';

const names = ['ts', 'mts', 'js', 'mjs', 'json', 'yaml', 'yml'].map((ending) => `modelwire.config.${ending}`);

export interface LoadedConfig {
  readonly config: Config;
  /** Where it came from; undefined when there is no file. */
  readonly path: string | undefined;
}

/**
 * Reads the configuration file: the one named, or the first `modelwire.config.*` of the folder, or none.
 *
 * @throws ConfigError that names the file and each field that is wrong.
 */
export async function loadConfigFile(folder: string, named: string | undefined): Promise<LoadedConfig> {
  const path =
    named === undefined ? names.map((name) => resolve(folder, name)).find(existsSync) : resolve(folder, named);
  if (path === undefined) return { config: {}, path };
  if (!existsSync(path)) throw new ConfigError(`${path}: there is no such file`);
  const parsed = configSchema.safeParse(await contentsOf(path));
  if (!parsed.success) throw new ConfigError(`${path} is not right:\n${explain(parsed.error)}`);
  return { config: parsed.data, path };
}

async function contentsOf(path: string): Promise<unknown> {
  try {
    switch (extname(path)) {
      case '.json':
        return JSON.parse(readFileSync(path, 'utf8'));
      case '.yaml':
      case '.yml':
        return parseYaml(readFileSync(path, 'utf8')) ?? {};
      default: {
        const module = (await import(pathToFileURL(path).href)) as { readonly default?: unknown };
        if (module.default === undefined) throw new Error('it has no default export');
        return module.default;
      }
    }
  } catch (error) {
    throw new ConfigError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function explain(error: z.ZodError): string {
  return error.issues
    .flatMap((issue) =>
      (issue.code === 'invalid_union' ? (longest(issue.errors) ?? [issue]) : [issue]).map(
        (one) => [issue.path, one] as const,
      ),
    )
    .map(
      ([base, issue]) =>
        `  ${[...base, ...(base === issue.path ? [] : issue.path)].join('.') || '(the whole)'}: ${issue.message}`,
    )
    .join('\n');
}

/** Of a union's branches the one that got furthest says most. */
function longest(branches: readonly (readonly z.core.$ZodIssue[])[]): readonly z.core.$ZodIssue[] | undefined {
  return [...branches].sort((a, b) => (b[0]?.path.length ?? 0) - (a[0]?.path.length ?? 0))[0];
}
