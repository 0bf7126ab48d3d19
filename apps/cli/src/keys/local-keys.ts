import type { App } from '../app.ts';
import { configError, usageError } from '../cli-error.ts';
import { loadOptionalPackage } from '../optional-package.ts';

/** The names of options here and in the server app. */
const OPTIONS = [
  ['project', '--project'],
  ['role', '--role'],
  ['name', '--name'],
  ['expires', '--expires'],
  ['grace', '--grace'],
  ['requestsPerMinute', '--requests-per-minute'],
  ['tokensPerMinute', '--tokens-per-minute'],
  ['maxOutputTokens', '--max-output-tokens'],
  ['allowModel', '--allow-model'],
] as const;

export type LocalOptions = Readonly<Partial<Record<(typeof OPTIONS)[number][0], string | number | readonly string[]>>>;

/** Runs a `keys` command of the server app on the stores of the server on this machine. */
export async function runLocally(
  { terminal, print }: App,
  words: readonly string[],
  config: string | undefined,
  options: LocalOptions,
): Promise<void> {
  const { ConfigError, keysCommand, openStores, readSettings } = await loadOptionalPackage(
    '@modelwire/server-app',
    terminal.cwd,
    () => import('@modelwire/server-app'),
  );
  const given = OPTIONS.flatMap(([name, option]) => [options[name] ?? []].flat().map((value) => `${option}=${value}`));
  try {
    const settings = await readSettings(terminal.cwd, terminal.env, { config });
    print.note(`Server: ${settings.database === undefined ? settings.data : databaseName(settings.database)}`);
    const stores = await openStores(settings);
    try {
      const text = await keysCommand([...words, ...given, ...(print.json ? ['--json'] : [])], stores);
      if (print.json) for (const value of [JSON.parse(text) as unknown].flat()) await print.value(value);
      else await print.raw(text);
    } finally {
      await stores.close();
    }
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
