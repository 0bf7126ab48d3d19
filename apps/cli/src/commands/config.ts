import { usageError } from '../cli-error.ts';
import { defineCommand } from '../command.ts';
import { checkBaseURL, missingVersionHint } from '../config/base-url.ts';
import { fieldOf, FIELDS } from '../config/fields.ts';
import { findProfile, profileName } from '../config/find-profile.ts';
import { pathsOf } from '../config/paths.ts';
import {
  checkProfileName,
  configPath,
  DEFAULT_PROFILE,
  readConfiguration,
  withProfile,
  writeConfiguration,
} from '../config/profiles.ts';
import { readSecret } from '../config/secret.ts';
import { readSettings } from '../config/settings.ts';
import { maskedKey, profileView } from '../config/profile-view.ts';
import { EXIT } from '../exit-codes.ts';

const fieldArgument = {
  name: 'field',
  choices: FIELDS,
  description: 'Field of the current profile, or of --profile',
} as const;

export const list = defineCommand({
  arguments: [],
  flags: {},
  description: 'Each value comes from an option, the environment, the profile or a default, in this order.',
  examples: [{ what: 'Show the effective configuration', line: 'modelwire config list' }],
  async run({ terminal, flags, print }) {
    const { profile, baseURL, key, model, system } = await readSettings(terminal, flags);
    const shownKey = key && maskedKey(key.value);
    await print.record(
      {
        profile,
        base_url: { value: baseURL.value, source: baseURL.source },
        api_key: key && { value: shownKey, source: key.source },
        model: model && { value: model.value, source: model.source },
        system: system ?? null,
      },
      [
        ['profile', profile],
        ['base-url', `${baseURL.value}  (${baseURL.source})`],
        ['api-key', key === undefined ? 'none' : `${shownKey ?? ''}  (${key.source})`],
        ['model', model && `${model.value}  (${model.source})`],
        ['system', system],
      ],
    );
  },
});

export const get = defineCommand({
  arguments: [fieldArgument],
  flags: {},
  description: 'Exits with 6 if the field is not set. API keys are masked.',
  examples: [{ what: 'Print the base URL', line: 'modelwire config get base-url' }],
  async run({ args: [given = ''], flags, terminal, print }) {
    const field = fieldOf(given);
    const configuration = await readConfiguration(terminal);
    const name = profileName(terminal, flags, configuration);
    const exists = name !== DEFAULT_PROFILE || Object.hasOwn(configuration.profiles, name);
    const value = exists ? findProfile(configuration, name)[field] : undefined;
    if (value === undefined) return EXIT.notFound;
    const shown = field === 'api-key' ? maskedKey(value) : value;
    if (print.json) await print.value({ [field]: shown });
    else await print.text(`${shown}\n`);
    return undefined;
  },
});

export const set = defineCommand({
  arguments: [
    fieldArgument,
    { name: 'value', optional: true, description: 'New value; an API key is prompted for, or read from stdin' },
  ],
  flags: {},
  examples: [
    { what: 'Set the base URL', line: 'modelwire config set base-url https://models.example.com/v1' },
    { what: 'Set the API key at a prompt', line: 'modelwire config set api-key' },
    { what: 'Set the API key from a file', line: 'modelwire config set api-key < key.txt' },
  ],
  async run({ args: [given = '', value], flags, terminal, print }) {
    const field = fieldOf(given);
    const configuration = await readConfiguration(terminal);
    const name = checkProfileName(profileName(terminal, flags, configuration));
    const profile = configuration.profiles[name] ?? {};
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
    const changed = withProfile(configuration, name, { ...profile, [field]: text });
    await writeConfiguration(terminal, changed);
    const hint = field === 'base-url' ? missingVersionHint(text) : undefined;
    if (hint !== undefined) print.warn(hint);
    if (print.json) await print.value(profileView(changed, name));
    else print.note(`Set ${field} of profile ${name}.`);
  },
});

export const unset = defineCommand({
  arguments: [fieldArgument],
  flags: {},
  examples: [{ what: 'Unset the model', line: 'modelwire config unset model' }],
  async run({ args: [given = ''], flags, terminal, print }) {
    const field = fieldOf(given);
    const configuration = await readConfiguration(terminal);
    const name = profileName(terminal, flags, configuration);
    const { [field]: _, ...rest } = findProfile(configuration, name);
    const changed = withProfile(configuration, name, rest);
    await writeConfiguration(terminal, changed);
    if (print.json) await print.value(profileView(changed, name));
    else print.note(`Unset ${field} of profile ${name}.`);
  },
});

export const path = defineCommand({
  arguments: [],
  flags: {},
  examples: [{ what: 'Show where files are stored', line: 'modelwire config path' }],
  async run({ terminal, print }) {
    const { state, cache } = pathsOf(terminal);
    const config = configPath(terminal);
    await print.record({ config, state, cache }, [
      ['config', config],
      ['state', state],
      ['cache', cache],
    ]);
  },
});
