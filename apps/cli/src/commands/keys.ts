import { defineCommand } from '../command.ts';
import { configFailure, usageFailure } from '../failure.ts';
import { loadOptionalPackage } from '../optional-package.ts';

const VERBS = ['create', 'list', 'revoke', 'limit'] as const;

export const command = defineCommand({
  arguments: [
    { name: 'verb', choices: VERBS, description: 'what to do' },
    { name: 'id', optional: true, description: 'of the key to revoke, or of the project to limit' },
  ],
  flags: {
    project: { type: 'string', description: 'whose key it is, or whose keys to list' },
    role: { type: 'string', description: 'what the key may do: full, read_only, inference_only, admin' },
    name: { type: 'string', description: 'what it is for' },
    expires: { type: 'string', value: 'time', description: 'when it ends: 30d, 12h, 5m' },
    'requests-per-minute': { type: 'string', value: 'n', description: 'a limit' },
    'tokens-per-minute': { type: 'string', value: 'n', description: 'a limit' },
    config: { type: 'string', value: 'file', completes: 'file', description: 'default ./modelwire.config.*' },
  },
  description: `Keys of the server of this folder, or of the database that its configuration names. It works beside a server that runs, and
without one. A key is shown once, when it is made.`,
  examples: [
    { what: 'Make one', line: 'modelwire keys create --project shop --role inference_only --expires 30d' },
    { what: 'All of them', line: 'modelwire keys list' },
    { what: 'Take one back', line: 'modelwire keys revoke key_abc123' },
    { what: 'What all keys of a project share', line: 'modelwire keys limit shop --tokens-per-minute 100000' },
  ],
  async run({ args, flags, terminal, print }) {
    const { ConfigError, keysCommand, openStores, readSettings } = await loadOptionalPackage(
      '@modelwire/server-app',
      terminal.cwd,
      () => import('@modelwire/server-app'),
    );
    const { config, project, role, name, expires, json } = flags;
    const named = { project, role, name, expires, ...limitsOf(flags) };
    const words = Object.entries(named).flatMap(([flag, value]) => (value === undefined ? [] : [`--${flag}=${value}`]));
    try {
      const stores = await openStores(await readSettings(terminal.cwd, terminal.env, { config }));
      try {
        const text = await keysCommand([...args, ...words, ...(json ? ['--json'] : [])], stores);
        if (json) for (const value of valuesOf(JSON.parse(text))) await print.value(value);
        else await print.raw(text);
      } finally {
        await stores.close();
      }
      return undefined;
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      throw error.message.startsWith('-') || error.message.startsWith('usage') || error.message.startsWith('there is')
        ? usageFailure(error.message)
        : configFailure(error.message);
    }
  },
});

function limitsOf(flags: { 'requests-per-minute': string | undefined; 'tokens-per-minute': string | undefined }) {
  return {
    'requests-per-minute': flags['requests-per-minute'],
    'tokens-per-minute': flags['tokens-per-minute'],
  };
}

/** A list is a line for each. */
function valuesOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}
