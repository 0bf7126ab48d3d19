import type { Define } from '../app.ts';
import { usageError } from '../cli-error.ts';
import { checkBaseURL, missingVersionHint } from '../config/base-url.ts';
import {
  checkProfileName,
  DEFAULT_PROFILE,
  findProfile,
  profileName,
  profileView,
  readConfiguration,
  withProfile,
  writeConfiguration,
} from '../config/profiles.ts';
import type { ProfileView } from '../config/profiles.ts';
import { readSecret } from '../config/secret.ts';
import { readKeyFile } from '../config/settings.ts';
import type { Column } from '../output/table.ts';
import { subcommand } from '../subcommand.ts';

const columns: readonly Column<ProfileView>[] = [
  { head: 'current', cell: ({ is_current }) => (is_current ? '*' : '') },
  { head: 'name', cell: ({ name }) => name },
  { head: 'base url', shrinks: true, cell: ({ base_url }) => base_url },
  { head: 'api key', cell: ({ api_key }) => api_key },
  { head: 'model', cell: ({ model }) => model },
];

export const define: Define = (group, app) => {
  const { terminal, print } = app;
  const listed = 'Name from modelwire profiles list';

  subcommand(group, 'create', 'Create a profile', {
    'Enter the API key at a prompt': 'modelwire profiles create work --base-url https://models.example.com/v1',
    'Read the API key from a password manager':
      'pass show models | modelwire profiles create work --base-url https://models.example.com/v1',
  })
    .description(
      `Stores a server (--base-url), its API key, a default model and a default system message under one name. The key is read from a prompt, from stdin or from --key-file, never from the command line. The first profile becomes the current one.`,
    )
    .argument('<name>', 'Letters, digits, dots, dashes and underscores')
    .option('-m, --model <id>', 'Default model')
    .option('-s, --system <text>', 'Default system message of chats')
    .option('--no-key', 'Store no API key')
    .option('-f, --force', 'Overwrite an existing profile')
    .action(async (given, { model, system, key: storesKey, force }) => {
      const { baseUrl: url, keyFile } = app.options;
      const name = checkProfileName(given);
      const configuration = await readConfiguration(terminal);
      if (Object.hasOwn(configuration.profiles, name) && !force) {
        throw usageError(`The profile "${name}" already exists.`, 'Overwrite it with --force.');
      }
      if (url !== undefined) checkBaseURL(url);
      const readKey = async () =>
        keyFile === undefined ? readSecret(terminal, `API key for ${url ?? name}: `) : readKeyFile(terminal, keyFile);
      const key = storesKey ? await readKey() : undefined;
      if (key !== undefined) print.hide(key);
      const isFirst = Object.keys(configuration.profiles).length === 0;
      const profile = { 'base-url': url, 'api-key': key, model, system };
      const changed = withProfile(isFirst ? { ...configuration, profile: name } : configuration, name, profile);
      await writeConfiguration(terminal, changed);
      const hint = url === undefined ? undefined : missingVersionHint(url);
      if (hint !== undefined) print.warn(hint);
      if (print.json) await print.value(profileView(changed, name));
      else if (changed.profile === name) print.note(`Created profile ${name}. It is the current profile.`);
      else print.note(`Created profile ${name}. To switch to it: modelwire profiles use ${name}`);
    });

  subcommand(group, 'list', 'List profiles', { 'List all profiles': 'modelwire profiles list' }).action(async () => {
    const configuration = await readConfiguration(terminal);
    const rows = Object.keys(configuration.profiles).map((name) => profileView(configuration, name));
    await print.rows(rows, columns, 'No profiles. To create one: modelwire profiles create <name>');
  });

  subcommand(group, 'get', 'Show a profile', { 'Show the current profile': 'modelwire profiles get' })
    .argument('[profile]', 'Profile to show (default: the current one)')
    .action(async (given) => {
      const configuration = await readConfiguration(terminal);
      const name = given ?? profileName(terminal, app.options, configuration);
      findProfile(configuration, name);
      const view = profileView(configuration, name);
      await print.record(view, [
        ['name', view.name + (view.is_current ? ' (current)' : '')],
        ['base-url', view.base_url],
        ['api-key', view.api_key],
        ['model', view.model],
        ['system', view.system],
      ]);
    });

  subcommand(group, 'use', 'Switch to a profile', { 'Switch to another server': 'modelwire profiles use work' })
    .argument('<profile>', listed)
    .action(async (name) => {
      const configuration = await readConfiguration(terminal);
      findProfile(configuration, name);
      const changed = { ...configuration, profile: name };
      await writeConfiguration(terminal, changed);
      await print.done(profileView(changed, name), `Switched to profile ${name}.`);
    });

  subcommand(group, 'delete', 'Delete a profile', { 'Delete a profile': 'modelwire profiles delete work' })
    .description('Also deletes the API key of the profile.')
    .argument('<profile>', listed)
    .action(async (name) => {
      const configuration = await readConfiguration(terminal);
      findProfile(configuration, name);
      const rest = withProfile(configuration, name, undefined);
      await writeConfiguration(terminal, rest.profile === name ? { ...rest, profile: DEFAULT_PROFILE } : rest);
      await print.done({ name, deleted: true }, `Deleted profile ${name}.`);
    });
};
