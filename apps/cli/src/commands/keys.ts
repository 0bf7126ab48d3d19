import { InvalidArgumentError } from '@commander-js/extra-typings';
import type { Command, OptionValues } from '@commander-js/extra-typings';
import type { OrganizationClient } from '@modelwire/client';
import type { App, Define } from '../app.ts';
import { usageError } from '../cli-error.ts';
import { readSettings } from '../config/settings.ts';
import { runLocally } from '../keys/local-keys.ts';
import type { LocalOptions } from '../keys/local-keys.ts';
import { listKeys, printKey, projectOf } from '../keys/remote-keys.ts';
import { limitsOf, rateFields, withLimitOptions, withRateOptions } from '../limits.ts';
import type { LimitOptions } from '../limits.ts';
import { choice, secondsFrom } from '../option-values.ts';
import { changesOf } from '../resource-commands.ts';
import { subcommand } from '../subcommand.ts';

const details = `If a base URL is configured, manages the keys of that server, using an API key with the role admin. Otherwise, or with --local, accesses the data of the server in this folder, or the database in its configuration, whether or not the server is running; this requires @modelwire/server-app. Prints on stderr which server it uses.`;
const keyId = ['<key-id>', 'ID from modelwire keys list'] as const;
const projectOption = ['--project <id>', 'Project of the key (default: search all projects)'] as const;

type Projects = OrganizationClient['projects'];

export const define: Define = (group, app) => {
  const { print, signal } = app;

  withServerOptions(
    withKeyOptions(
      subcommand(group, 'create', 'Create an API key', {
        'Create a key': 'modelwire keys create --project shop --role inference_only --expires 30d',
        'Create a key for one model': 'modelwire keys create --allow-model simulator --max-output-tokens 1000',
        'Create a key on the server in this folder': 'modelwire keys create --local --role admin',
      }),
    ),
    'The key is printed once and cannot be shown again.',
  )
    .option('--project <name>', 'Project of the key (default: default)')
    .action((flags) =>
      onServer(app, ['create'], flags, async ({ apiKeys }) => {
        const key = await apiKeys.create(flags.project ?? 'default', keyFieldsOf(flags), { signal });
        await printKey(app, key);
      }),
    );

  withServerOptions(
    subcommand(group, 'list', 'List API keys', { 'List all keys': 'modelwire keys list' }),
    'If a project cannot be read, prints a warning, lists the keys of the other projects, and exits with code 10.',
  )
    .option('--project <name>', 'Only keys of this project')
    .action((flags) => onServer(app, ['list'], flags, (projects) => listKeys(projects, app, flags.project)));

  withServerOptions(
    withKeyOptions(
      subcommand(group, 'update', 'Change the name, role, expiry or limits of an API key', {
        'Limit a key': 'modelwire keys update key_abc123 --max-output-tokens 1000',
        'Allow all models again': 'modelwire keys update key_abc123 --allow-model none',
      }),
    ),
    'Takes effect within two seconds on all replicas.',
  )
    .argument(...keyId)
    .option(...projectOption)
    .action(async (id, flags) => {
      const changes = changesOf(keyFieldsOf(flags));
      await onServer(app, ['update', id], flags, async (projects) => {
        const path = await projectOf(projects, app, id, flags.project);
        await printKey(app, await projects.apiKeys.update(id, { ...path, ...changes }, { signal }));
      });
    });

  withServerOptions(
    subcommand(group, 'rotate', 'Replace the secret of an API key', {
      'Replace a secret, with a grace period': 'modelwire keys rotate key_abc123 --grace 1h',
    }),
    'The new secret is printed once and cannot be shown again.',
  )
    .argument(...keyId)
    .option(
      '--grace <time>',
      'Time for which the previous secret stays valid, such as 1h (default: none)',
      durationFrom(0),
    )
    .option(...projectOption)
    .action((id, flags) =>
      onServer(app, ['rotate', id], flags, async (projects) => {
        const path = await projectOf(projects, app, id, flags.project);
        const grace_seconds = flags.grace === undefined ? undefined : secondsFrom(flags.grace);
        await printKey(app, await projects.apiKeys.rotate(id, { ...path, grace_seconds }, { signal }));
      }),
    );

  withServerOptions(
    subcommand(group, 'revoke', 'Revoke an API key', { 'Revoke a key': 'modelwire keys revoke key_abc123' }),
    'Takes effect within two seconds on all replicas.',
  )
    .argument(...keyId)
    .option(...projectOption)
    .action((id, flags) =>
      onServer(app, ['revoke', id], flags, async (projects) => {
        const path = await projectOf(projects, app, id, flags.project);
        await projects.apiKeys.delete(id, path, { signal });
        await printKey(app, await projects.apiKeys.retrieve(id, path, { signal }));
      }),
    );

  withServerOptions(
    withRateOptions(
      subcommand(group, 'limit', 'Set the rate limits of a project', {
        'Limit a project': 'modelwire keys limit shop --tokens-per-minute 100000',
      }),
    ),
    'Without an option, the limits of the project are removed.',
  )
    .argument('<project>', 'Project whose keys share the limits')
    .action((id, flags) =>
      onServer(app, ['limit', id], flags, async (projects) => {
        const { requests_per_minute = null, tokens_per_minute = null } = limitsOf(flags);
        const project = await projects.update(id, { requests_per_minute, tokens_per_minute }, { signal });
        await print.record(project, [['id', project.id], ...rateFields(project)]);
      }),
    );
};

interface ServerFlags {
  readonly config?: string;
  readonly local?: boolean;
}

/** Adds the options of all `keys` commands, and their description. */
function withServerOptions<A extends unknown[], O extends OptionValues, G extends OptionValues>(
  command: Command<A, O, G>,
  description: string,
) {
  return command
    .description(`${description}\n\n${details}`)
    .option('--config <file>', 'Configuration of the server on this machine (default: ./modelwire.config.*)')
    .option('--local', 'Use the server in this folder although a base URL is configured');
}

/** Runs a command on the configured server, or with the same options on the server in this folder. */
async function onServer(
  app: App,
  words: readonly string[],
  flags: ServerFlags & LocalOptions,
  remotely: (projects: Projects) => Promise<void>,
): Promise<void> {
  const { terminal, print } = app;
  const { config, local } = flags;
  const { baseURL } = await readSettings(terminal, { ...app.options, keyFile: undefined });
  if (local && app.options.baseUrl !== undefined)
    throw usageError('--local and --base-url cannot be combined.', 'Specify the server with one of them.');
  if (baseURL.isDefault || local) return runLocally(app, words, config, flags);
  if (config !== undefined) {
    throw usageError(
      `--config is for the server on this machine, but the base URL ${baseURL.value} is set (${baseURL.source}).`,
      'To manage the server on this machine, add --local.',
    );
  }
  print.note(`Server: ${baseURL.value}`);
  const { organization } = await app.client();
  return remotely(organization.projects);
}

/** Adds the options that set the fields of a key. */
function withKeyOptions<A extends unknown[], O extends OptionValues, G extends OptionValues>(
  command: Command<A, O, G>,
) {
  const roles = ['full', 'read_only', 'inference_only', 'admin'] as const;
  return withLimitOptions(command)
    .addOption(choice('--role <role>', 'Role of the key (of a new one: full)', roles))
    .option('--name <name>', 'Description of the key')
    .option(
      '--expires <time>',
      'Time until the key expires, such as 30d, 12h or 5m. "none": it does not expire',
      durationFrom(60),
    );
}

interface KeyFlags extends LimitOptions {
  readonly role?: 'full' | 'read_only' | 'inference_only' | 'admin';
  readonly name?: string;
  readonly expires?: string;
}

/** The fields of a key that the options set. */
function keyFieldsOf(flags: KeyFlags) {
  const { role, name, expires } = flags;
  const now = Math.floor(Date.now() / 1000);
  const expires_at = expires === undefined ? undefined : expires === 'none' ? null : now + secondsFrom(expires);
  return { role, name, expires_at, ...limitsOf(flags) };
}

/** Validates a duration. The server in this folder takes its text. */
function durationFrom(minSeconds: number) {
  return (text: string): string => {
    if (minSeconds > 0 && text === 'none') return text;
    if (secondsFrom(text) >= minSeconds) return text;
    throw new InvalidArgumentError('Expected a duration of at least 1m. To end a key now, revoke it.');
  };
}
