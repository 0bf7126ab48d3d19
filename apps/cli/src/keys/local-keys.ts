import { configError, usageError } from '../cli-error.ts';
import { limitFlags } from '../limits.ts';
import { loadOptionalPackage } from '../optional-package.ts';
import type { KeysContext } from './flags.ts';

/** Runs a `keys` command of the server app on its stores. Options of the same name are passed on. */
export async function runLocally(context: KeysContext, words: readonly string[]): Promise<undefined> {
  const { flags, terminal, print } = context;
  const { ConfigError, keysCommand, openStores, readSettings } = await loadOptionalPackage(
    '@modelwire/server-app',
    terminal.cwd,
    () => import('@modelwire/server-app'),
  );
  const values: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>> = flags;
  const options = ['project', 'role', 'name', 'expires', 'grace', ...Object.keys(limitFlags)].flatMap((name) =>
    [values[name] ?? []].flat().map((value) => `--${name}=${value}`),
  );
  try {
    const settings = await readSettings(terminal.cwd, terminal.env, { config: flags.config });
    print.note(`Server: ${settings.database === undefined ? settings.data : databaseName(settings.database)}`);
    const stores = await openStores(settings);
    try {
      const text = await keysCommand([...words, ...options, ...(flags.json ? ['--json'] : [])], stores);
      if (flags.json) for (const value of [JSON.parse(text) as unknown].flat()) await print.value(value);
      else await print.raw(text);
    } finally {
      await stores.close();
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const isUsage = /^([-<]|usage|there is)/.test(error.message);
    throw isUsage ? usageError(error.message) : configError(error.message);
  }
}

/** The database without its credentials. */
function databaseName(database: string): string {
  if (!URL.canParse(database)) return 'the configured database';
  const { protocol, host, pathname } = new URL(database);
  return `${protocol}//${host}${pathname}`;
}
