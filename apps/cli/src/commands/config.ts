import { Argument } from '@commander-js/extra-typings';
import type { Define } from '../app.ts';
import { usageError } from '../cli-error.ts';
import { checkBaseURL, missingVersionHint } from '../config/base-url.ts';
import { pathsOf } from '../config/paths.ts';
import {
  checkProfileName,
  configPath,
  DEFAULT_PROFILE,
  findProfile,
  maskedKey,
  PROFILE_FIELDS,
  profileName,
  profileView,
  readConfiguration,
  withProfile,
  writeConfiguration,
} from '../config/profiles.ts';
import { readSecret } from '../config/secret.ts';
import { EXIT } from '../exit-codes.ts';
import { subcommand } from '../subcommand.ts';

const fieldArgument = () =>
  new Argument('<field>', 'Field of the current profile, or of --profile').choices(PROFILE_FIELDS);

export const define: Define = (group, app) => {
  const { terminal, print } = app;
  /** The configuration, and the name of the profile to read or change. */
  const read = async () => {
    const configuration = await readConfiguration(terminal);
    return { configuration, name: profileName(terminal, app.options, configuration) };
  };

  subcommand(group, 'list', 'Show the effective configuration and its sources', {
    'Show the effective configuration': 'modelwire config list',
  })
    .description('Each value comes from an option, the environment, the profile or a default, in this order.')
    .action(async () => {
      const { profile, baseURL, key, model, system } = await app.settings();
      const shownKey = key && { ...key, value: maskedKey(key.value) };
      const textOf = (setting: typeof model): string | undefined => setting && `${setting.value}  (${setting.source})`;
      await print.record(
        {
          profile,
          base_url: { value: baseURL.value, source: baseURL.source },
          api_key: shownKey,
          model,
          system: system ?? null,
        },
        [
          ['profile', profile],
          ['base-url', textOf(baseURL)],
          ['api-key', textOf(shownKey) ?? 'none'],
          ['model', textOf(model)],
          ['system', system],
        ],
      );
    });

  subcommand(group, 'get', 'Print a value', { 'Print the base URL': 'modelwire config get base-url' })
    .description('Exits with 6 if the field is not set. API keys are masked.')
    .addArgument(fieldArgument())
    .action(async (field) => {
      const { configuration, name } = await read();
      const exists = name !== DEFAULT_PROFILE || Object.hasOwn(configuration.profiles, name);
      const value = exists ? findProfile(configuration, name)[field] : undefined;
      const shown = value !== undefined && field === 'api-key' ? maskedKey(value) : value;
      if (shown === undefined) app.exitCode = EXIT.notFound;
      else if (print.json) await print.value({ [field]: shown });
      else await print.text(`${shown}\n`);
    });

  subcommand(group, 'set', 'Set a value', {
    'Set the base URL': 'modelwire config set base-url https://models.example.com/v1',
    'Set the API key at a prompt': 'modelwire config set api-key',
    'Set the API key from a file': 'modelwire config set api-key < key.txt',
  })
    .addArgument(fieldArgument())
    .argument('[value]', 'New value; an API key is prompted for, or read from stdin')
    .action(async (field, value) => {
      const { configuration, name } = await read();
      checkProfileName(name);
      if (field === 'api-key' && value !== undefined) {
        throw usageError(
          'An API key is not accepted on the command line: other users of this machine could read it, and your shell would keep it in its history.',
          'Run modelwire config set api-key for a prompt, or pipe the key: modelwire config set api-key < key.txt',
        );
      }
      const text = field === 'api-key' ? await readSecret(terminal, 'API key: ') : value;
      if (text === undefined) {
        throw usageError('Missing required argument <value>.', `Usage: modelwire config set ${field} <value>`);
      }
      if (field === 'api-key') print.hide(text);
      if (field === 'base-url') checkBaseURL(text);
      const changed = withProfile(configuration, name, { ...configuration.profiles[name], [field]: text });
      await writeConfiguration(terminal, changed);
      const hint = field === 'base-url' ? missingVersionHint(text) : undefined;
      if (hint !== undefined) print.warn(hint);
      await print.done(profileView(changed, name), `Set ${field} of profile ${name}.`);
    });

  subcommand(group, 'unset', 'Unset a value', { 'Unset the model': 'modelwire config unset model' })
    .addArgument(fieldArgument())
    .action(async (field) => {
      const { configuration, name } = await read();
      const { [field]: _, ...rest } = findProfile(configuration, name);
      const changed = withProfile(configuration, name, rest);
      await writeConfiguration(terminal, changed);
      await print.done(profileView(changed, name), `Unset ${field} of profile ${name}.`);
    });

  subcommand(group, 'path', 'Show where files are stored', {
    'Show where files are stored': 'modelwire config path',
  }).action(async () => {
    const { state, cache } = pathsOf(terminal);
    const config = configPath(terminal);
    await print.record({ config, state, cache }, Object.entries({ config, state, cache }));
  });
};
