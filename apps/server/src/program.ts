import { parseArgs } from 'node:util';
import { nearest } from '@modelwire/schema/internal/nearest';
import { banner } from './start/banner.ts';
import { ConfigError } from './config/config-error.ts';
import { environmentVariables } from './config/environment-variables.ts';
import { separateConfig } from './commands/config-option.ts';
import { pathArgument } from './commands/path-argument.ts';
import { runFolderCommand } from './commands/folder-command.ts';
import type { FolderCommand } from './commands/folder-command.ts';
import { keysHelp, runKeysCommand } from './keys/keys-command.ts';
import { sealObjectPrototype } from './start/seal-object-prototype.ts';
import {
  findLocalServers,
  localServersMessage,
  looksForLocalServers,
  withLocalServers,
} from './upstreams/local-servers.ts';
import { packagesHint, startCommand } from './start/executable.ts';
import { releaseStartupMemory } from './start/release-startup-memory.ts';
import { readSettings } from './config/settings.ts';
import { startServer } from './start/start-server.ts';
import { version } from './start/version.ts';

interface Command {
  /** Its name and arguments. */
  readonly usage: string;
  readonly summary: string;
  readonly run: (args: readonly string[]) => Promise<void>;
}

const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['keys', { usage: 'keys <command>', summary: 'manage API keys: see keys --help', run: keys }],
  [
    'backup',
    {
      usage: 'backup <folder>',
      summary: 'back up records and files, while the server runs',
      run: async (args) => backupOrRestore('backup', args),
    },
  ],
  [
    'restore',
    { usage: 'restore <folder>', summary: 'restore a backup', run: async (args) => backupOrRestore('restore', args) },
  ],
  [
    'export',
    {
      usage: 'export <folder>',
      summary: 'export records and files, to move them to another database or bucket',
      run: async (args) => exportOrImport('export', args),
    },
  ],
  [
    'import',
    {
      usage: 'import <folder>',
      summary: 'import an export into an empty database',
      run: async (args) => exportOrImport('import', args),
    },
  ],
  [
    'migrate',
    {
      usage: 'migrate <file>',
      summary: 'translate the configuration of LiteLLM or Portkey',
      run: async (args) => {
        const { migrate } = await import('./migrate/migrate-command.ts');
        process.stdout.write(await migrate(args, process.cwd()));
      },
    },
  ],
]);

const variables = Object.entries(environmentVariables)
  .map(([name, description]) => `  ${name.padEnd(27)} ${description.replaceAll('`', '')}`)
  .join('\n');

const help = `modelwire-server: OpenAI-compatible API server

Usage:
  modelwire-server [options]
${[...commands.values()].map(({ usage, summary }) => `  modelwire-server ${usage.padEnd(17)} ${summary}`).join('\n')}

Options:
  --port <number>   port to listen on (default 8787)
  --host <address>  address to listen on (default 127.0.0.1)
  --workers <n>     processes that serve requests, or auto for one per core (default 1)
  --config <file>   configuration file (default ./modelwire.config.*); also for the commands except migrate
  --auto            use the model servers on this machine, if no models are configured
  --help            show this help
  --version         show the version

Environment variables:
${variables}
`;

async function main(): Promise<void> {
  sealObjectPrototype();
  const [name, ...args] = process.argv.slice(2);
  if (name !== undefined && !name.startsWith('-')) {
    const command = commands.get(name);
    if (!command) throw unknownCommand(name);
    await command.run(args);
    return;
  }
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      port: { type: 'string' },
      host: { type: 'string' },
      workers: { type: 'string' },
      config: { type: 'string' },
      auto: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean' },
    },
  });
  if (positionals[0] !== undefined)
    throw new ConfigError(`Unexpected argument '${positionals[0]}'. A command comes before the options.`);
  if (values.help || values.version) {
    process.stdout.write(values.help ? help : `${version}\n`);
    return;
  }
  const folder = process.cwd();
  const settings = await readSettings(folder, process.env, values);
  const looksForServers = looksForLocalServers(settings);
  const usedServers = values.auto && looksForServers ? await findLocalServers(settings) : [];
  const effectiveSettings = values.auto ? withLocalServers(settings, usedServers) : settings;
  const running = await startServer(effectiveSettings, { print: (text) => process.stdout.write(text) });
  process.stdout.write(banner(running, folder));
  releaseStartupMemory();
  const stop = (): void => {
    // A second signal exits without waiting.
    process.once('SIGINT', () => process.exit(130));
    process.once('SIGTERM', () => process.exit(143));
    running.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  if (looksForServers) {
    // Without --auto they are only named, which the start does not wait for.
    const localServers = values.auto ? usedServers : await findLocalServers(settings);
    const mode = effectiveSettings !== settings ? 'used' : values.auto ? 'wanted' : 'offered';
    process.stdout.write(localServersMessage(localServers, mode, startCommand()));
  }
}

function unknownCommand(name: string): ConfigError {
  const similar = nearest(name, [...commands.keys()]);
  const hint = similar === undefined ? '' : ` Did you mean '${similar}'?`;
  return new ConfigError(`Unknown command '${name}'.${hint} See modelwire-server --help.`);
}

/** Runs `keys …` on the store directly. A server may be running at the same time. */
async function keys(args: readonly string[]): Promise<void> {
  if (args.length === 0 || args.includes('--help') || args.includes('-h')) {
    process.stdout.write(keysHelp);
    return;
  }
  const { config, rest } = separateConfig(args);
  const settings = await readSettings(process.cwd(), process.env, { config });
  process.stdout.write(await runKeysCommand(rest, settings));
}

async function backupOrRestore(name: 'backup' | 'restore', args: readonly string[]): Promise<void> {
  const { backupCommands, backupHelp } = await import('./backup/commands.ts');
  await runWithFolder(name, args, backupHelp, backupCommands[name]);
}

async function exportOrImport(name: 'export' | 'import', args: readonly string[]): Promise<void> {
  const { moveCommands, moveHelp } = await import('./move/commands.ts');
  await runWithFolder(name, args, moveHelp, moveCommands[name]);
}

/** Runs a command whose only argument, besides `--config`, is a folder. */
async function runWithFolder(name: string, args: readonly string[], usage: string, run: FolderCommand): Promise<void> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(usage);
    return;
  }
  const cwd = process.cwd();
  const { config, rest } = separateConfig(args);
  const settings = await readSettings(cwd, process.env, { config });
  const { output, exitCode } = await runFolderCommand(name, run, settings, pathArgument(rest, cwd, usage));
  process.stdout.write(output);
  process.exitCode = exitCode;
}

main().catch((error: unknown) => {
  const isUserError = error instanceof ConfigError || (error instanceof TypeError && 'code' in error);
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const message = isUserError ? error.message : details;
  process.stderr.write(`${message}\n${packagesHint(message)}`);
  process.exitCode = 1;
});
