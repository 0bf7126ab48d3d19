import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ProviderV4 } from '@ai-sdk/provider';
import { isRecord } from '@modelwire/adapter-kit';

/** A provider package that is missing or cannot be used. The message is addressed to the operator. */
export class ProviderSetupError extends Error {
  override readonly name = 'ProviderSetupError';
}

/** What `loadProvider` takes. */
export interface ProviderInit {
  /** Name of the provider package, such as `@ai-sdk/anthropic`. */
  readonly package: string;
  /** API key. Default: the environment variable that the package reads, such as `ANTHROPIC_API_KEY`. */
  readonly apiKey?: string | undefined;
  /** Further settings of the provider, such as `baseURL`, `headers` or `region`. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
  /** Name of the export that creates the provider. Default: the one that is named like the package, such as `createAnthropic`. */
  readonly export?: string | undefined;
  /** Folder of the project where the package is installed. Default: the working directory. */
  readonly folder?: string | undefined;
}

/**
 * Imports an installed provider package and creates its provider.
 *
 * @throws ProviderSetupError when the package is not installed, is not a provider package, or implements another version than `v4`.
 */
export async function loadProvider(init: ProviderInit): Promise<ProviderV4> {
  const { package: name, apiKey, options } = init;
  if (!/^(@[\w.~-]+\/)?[\w.~-]+$/.test(name) || name.startsWith('.')) {
    throw new ProviderSetupError(`'${name}' is not the name of a package, such as @ai-sdk/anthropic.`);
  }
  const module = await importPackage(name, init.folder ?? process.cwd());
  const create = factory(module, init);
  const provider = create({ ...options, ...(apiKey !== undefined && { apiKey }) });
  return requireProvider(provider, name);
}

async function importPackage(name: string, folder: string): Promise<Readonly<Record<string, unknown>>> {
  const specifier = resolvedFrom(folder, name) ?? name;
  try {
    return (await import(specifier)) as Readonly<Record<string, unknown>>;
  } catch (cause) {
    if (specifier === name && isNotFound(cause)) {
      throw new ProviderSetupError(`The package ${name} is not installed. Install it: npm install ${name}`, { cause });
    }
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ProviderSetupError(`The package ${name} cannot be loaded: ${why}`, { cause });
  }
}

/** URL of the package as the project in the folder would import it; undefined where it has none. */
function resolvedFrom(folder: string, name: string): string | undefined {
  try {
    return pathToFileURL(createRequire(join(folder, 'package.json')).resolve(name)).href;
  } catch {
    // Not installed there, or only importable: tries the import from this package.
    return undefined;
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
}

type Factory = (options: Readonly<Record<string, unknown>>) => unknown;

function factory(
  module: Readonly<Record<string, unknown>>,
  { package: name, export: exportName }: ProviderInit,
): Factory {
  if (exportName !== undefined) {
    const create = module[exportName];
    if (isFactory(create)) return create;
    throw new ProviderSetupError(`The package ${name} has no function '${exportName}'.${listed(factoryNames(module))}`);
  }
  const names = factoryNames(module);
  const base = name.slice(name.indexOf('/') + 1).replaceAll(/[^a-z0-9]/gi, '');
  const expected = `create${base}`.toLowerCase();
  const found = names.find((one) => one.toLowerCase() === expected) ?? (names.length === 1 ? names[0] : undefined);
  const create = found === undefined ? undefined : module[found];
  if (isFactory(create)) return create;
  throw new ProviderSetupError(
    names.length === 0
      ? `The package ${name} is not a provider of the AI SDK: it exports no function that creates one.`
      : `The package ${name} has several functions that create a provider: set 'export'.${listed(names)}`,
  );
}

/** AI SDK packages export `createAnthropic`, `createMistral` and so on. */
function factoryNames(module: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(module).filter((name) => /^create[A-Z]/.test(name) && typeof module[name] === 'function');
}

function isFactory(value: unknown): value is Factory {
  return typeof value === 'function';
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? '' : ` There are: ${names.join(', ')}.`;
}

function requireProvider(value: unknown, name: string): ProviderV4 {
  if (isProvider(value)) return value;
  const version: unknown =
    (isRecord(value) || typeof value === 'function') && Reflect.get(value, 'specificationVersion');
  throw new ProviderSetupError(
    typeof version === 'string'
      ? `The package ${name} implements specification ${version} of the AI SDK, not v4. Update it: npm install ${name}@latest`
      : `The package ${name} did not create a provider of the AI SDK with specification v4. Update it: npm install ${name}@latest`,
  );
}

/** Providers are functions with methods. */
function isProvider(value: unknown): value is ProviderV4 {
  return (
    (isRecord(value) || typeof value === 'function') &&
    Reflect.get(value, 'specificationVersion') === 'v4' &&
    typeof Reflect.get(value, 'languageModel') === 'function'
  );
}
