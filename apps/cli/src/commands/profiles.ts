import { usageError } from '../cli-error.ts';
import { defineCommand } from '../command.ts';
import { checkBaseURL, missingVersionHint } from '../config/base-url.ts';
import { findProfile, profileName } from '../config/find-profile.ts';
import { profileView } from '../config/profile-view.ts';
import type { ProfileView } from '../config/profile-view.ts';
import {
  checkProfileName,
  DEFAULT_PROFILE,
  readConfiguration,
  withProfile,
  writeConfiguration,
} from '../config/profiles.ts';
import { readSecret } from '../config/secret.ts';
import { readKeyFile } from '../config/settings.ts';
import type { Column } from '../output/table.ts';

const columns: readonly Column<ProfileView>[] = [
  { head: 'current', cell: ({ is_current }) => (is_current ? '*' : '') },
  { head: 'name', cell: ({ name }) => name },
  { head: 'base url', shrinks: true, cell: ({ base_url }) => base_url },
  { head: 'api key', cell: ({ api_key }) => api_key },
  { head: 'model', cell: ({ model }) => model },
];

const nameArgument = { name: 'name', completes: 'profile', description: 'Name from modelwire profiles list' } as const;

export const create = defineCommand({
  arguments: [{ name: 'name', description: 'Letters, digits, dots, dashes and underscores' }],
  flags: {
    model: { type: 'string', short: 'm', value: 'id', description: 'Default model' },
    system: { type: 'string', short: 's', value: 'text', description: 'Default system message of chats' },
    'no-key': { type: 'boolean', description: 'Store no API key' },
    force: { type: 'boolean', short: 'f', description: 'Overwrite an existing profile' },
  },
  description: `Stores a server (--base-url), its API key, a default model and a default system message under one name. The key is read from a
prompt, from stdin or from --key-file, never from the command line. The first profile becomes the current one.`,
  examples: [
    {
      what: 'Enter the API key at a prompt',
      line: 'modelwire profiles create work --base-url https://models.example.com/v1',
    },
    {
      what: 'Read the API key from a password manager',
      line: 'pass show models | modelwire profiles create work --base-url https://models.example.com/v1',
    },
  ],
  async run({ args: [given = ''], flags, terminal, print }) {
    const name = checkProfileName(given);
    const configuration = await readConfiguration(terminal);
    if (Object.hasOwn(configuration.profiles, name) && !flags.force) {
      throw usageError(`The profile "${name}" already exists.`, 'Overwrite it with --force.');
    }
    const url = flags['base-url'];
    if (url !== undefined) checkBaseURL(url);
    const file = flags['key-file'];
    const key = flags['no-key']
      ? undefined
      : file === undefined
        ? await readSecret(terminal, `API key for ${url ?? name}: `)
        : await readKeyFile(terminal, file);
    if (key !== undefined) print.hide(key);
    const profile = {
      ...(url !== undefined && { 'base-url': url }),
      ...(key !== undefined && { 'api-key': key }),
      ...(flags.model !== undefined && { model: flags.model }),
      ...(flags.system !== undefined && { system: flags.system }),
    };
    const isFirst = Object.keys(configuration.profiles).length === 0;
    const changed = withProfile(isFirst ? { ...configuration, profile: name } : configuration, name, profile);
    await writeConfiguration(terminal, changed);
    const hint = url === undefined ? undefined : missingVersionHint(url);
    if (hint !== undefined) print.warn(hint);
    if (print.json) await print.value(profileView(changed, name));
    else if (changed.profile === name) print.note(`Created profile ${name}. It is the current profile.`);
    else print.note(`Created profile ${name}. To switch to it: modelwire profiles use ${name}`);
  },
});

export const list = defineCommand({
  arguments: [],
  flags: {},
  examples: [{ what: 'List all profiles', line: 'modelwire profiles list' }],
  async run({ terminal, print }) {
    const configuration = await readConfiguration(terminal);
    const rows = Object.keys(configuration.profiles).map((name) => profileView(configuration, name));
    await print.rows(rows, columns, 'No profiles. To create one: modelwire profiles create <name>');
  },
});

export const get = defineCommand({
  arguments: [{ ...nameArgument, optional: true, description: 'Profile to show (default: the current one)' }],
  flags: {},
  examples: [{ what: 'Show the current profile', line: 'modelwire profiles get' }],
  async run({ args: [given], flags, terminal, print }) {
    const configuration = await readConfiguration(terminal);
    const name = given ?? profileName(terminal, flags, configuration);
    findProfile(configuration, name);
    const view = profileView(configuration, name);
    await print.record(view, [
      ['name', view.name + (view.is_current ? ' (current)' : '')],
      ['base-url', view.base_url],
      ['api-key', view.api_key],
      ['model', view.model],
      ['system', view.system],
    ]);
  },
});

export const use = defineCommand({
  arguments: [nameArgument],
  flags: {},
  examples: [{ what: 'Switch to another server', line: 'modelwire profiles use work' }],
  async run({ args: [name = ''], terminal, print }) {
    const configuration = await readConfiguration(terminal);
    findProfile(configuration, name);
    const changed = { ...configuration, profile: name };
    await writeConfiguration(terminal, changed);
    if (print.json) await print.value(profileView(changed, name));
    else print.note(`Switched to profile ${name}.`);
  },
});

const deleteProfile = defineCommand({
  arguments: [nameArgument],
  flags: {},
  description: 'Also deletes the API key of the profile.',
  examples: [{ what: 'Delete a profile', line: 'modelwire profiles delete work' }],
  async run({ args: [name = ''], terminal, print }) {
    const configuration = await readConfiguration(terminal);
    findProfile(configuration, name);
    const rest = withProfile(configuration, name, undefined);
    await writeConfiguration(terminal, rest.profile === name ? { ...rest, profile: DEFAULT_PROFILE } : rest);
    if (print.json) await print.value({ name, deleted: true });
    else print.note(`Deleted profile ${name}.`);
  },
});
export { deleteProfile as delete };
