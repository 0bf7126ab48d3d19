import { configError, usageError } from '../cli-error.ts';
import { defineCommand } from '../command.ts';
import type { Context, Flags } from '../command.ts';
import { readSettings } from '../config/settings.ts';
import { loadOptionalPackage } from '../optional-package.ts';

const serverFlags = {
  config: {
    type: 'string',
    value: 'file',
    completes: 'file',
    description: 'Server configuration (default: ./modelwire.config.*)',
  },
  local: { type: 'boolean', description: 'Use the server in this folder although a base URL is configured' },
} as const satisfies Flags;

const limitFlags = {
  'requests-per-minute': { type: 'integer', value: 'n', min: 1, description: 'Maximum requests per minute' },
  'tokens-per-minute': { type: 'integer', value: 'n', min: 1, description: 'Maximum tokens per minute' },
} as const satisfies Flags;

const description = `Directly accesses the data of the server in this folder, or the database in its configuration, whether or not the server
is running. Does not connect to a server: if a base URL is configured, the command fails unless --local is given. Requires @modelwire/server-app.`;

export const create = defineCommand({
  arguments: [],
  flags: {
    project: { type: 'string', value: 'name', description: 'Project of the key (default: default)' },
    role: {
      type: 'string',
      choices: ['full', 'read_only', 'inference_only', 'admin'],
      description: 'Role of the key (default: full)',
    },
    name: { type: 'string', description: 'Description of the key' },
    expires: { type: 'string', value: 'time', description: 'Time until the key expires, such as 30d, 12h or 5m' },
    ...limitFlags,
    ...serverFlags,
  },
  description: `The key is printed once and cannot be shown again.\n\n${description}`,
  examples: [
    { what: 'Create a key', line: 'modelwire keys create --project shop --role inference_only --expires 30d' },
  ],
  run: (context) => runOnServer(context, ['create']),
});

export const list = defineCommand({
  arguments: [],
  flags: { project: { type: 'string', value: 'name', description: 'Only keys of this project' }, ...serverFlags },
  description,
  examples: [{ what: 'List all keys', line: 'modelwire keys list' }],
  run: (context) => runOnServer(context, ['list']),
});

export const revoke = defineCommand({
  arguments: [{ name: 'key-id', description: 'ID from modelwire keys list' }],
  flags: serverFlags,
  description: `Takes effect within two seconds on all replicas.\n\n${description}`,
  examples: [{ what: 'Revoke a key', line: 'modelwire keys revoke key_abc123' }],
  run: (context) => runOnServer(context, ['revoke', ...context.args]),
});

export const limit = defineCommand({
  arguments: [{ name: 'project', description: 'Project whose keys share the limits' }],
  flags: { ...limitFlags, ...serverFlags },
  description: `Without an option, the limits of the project are removed.\n\n${description}`,
  examples: [{ what: 'Limit a project', line: 'modelwire keys limit shop --tokens-per-minute 100000' }],
  run: (context) => runOnServer(context, ['limit', ...context.args]),
});

/** Runs a `keys` command of the server app on its stores. Options of the same name are passed on. */
async function runOnServer(context: Context<typeof serverFlags>, words: readonly string[]): Promise<undefined> {
  const { flags, terminal, print } = context;
  await assertNoBaseURL(context);
  const {
    ConfigError,
    keysCommand,
    openStores,
    readSettings: readServerSettings,
  } = await loadOptionalPackage('@modelwire/server-app', terminal.cwd, () => import('@modelwire/server-app'));
  const values: Readonly<Record<string, string | number | boolean | readonly unknown[] | undefined>> = flags;
  const options = ['project', 'role', 'name', 'expires', ...Object.keys(limitFlags)].flatMap((name) =>
    values[name] === undefined ? [] : [`--${name}=${values[name].toString()}`],
  );
  try {
    const settings = await readServerSettings(terminal.cwd, terminal.env, { config: flags.config });
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
    const isUsage = /^(-|usage|there is)/.test(error.message);
    throw isUsage ? usageError(error.message) : configError(error.message);
  }
}

/** Prevents that keys are created in this folder when a server elsewhere is meant. */
async function assertNoBaseURL({ flags, terminal }: Context<typeof serverFlags>): Promise<void> {
  const { baseURL } = await readSettings(terminal, { ...flags, 'key-file': undefined });
  if (baseURL.isDefault || (flags.local && flags['base-url'] === undefined)) return;
  throw usageError(
    `modelwire keys changes the server in this folder, but the base URL ${baseURL.value} is set (${baseURL.source}).`,
    'To manage the server in this folder, add --local. To manage another server, run the command on its machine.',
  );
}

/** The database without its credentials. */
function databaseName(database: string): string {
  if (!URL.canParse(database)) return 'the configured database';
  const { protocol, host, pathname } = new URL(database);
  return `${protocol}//${host}${pathname}`;
}
