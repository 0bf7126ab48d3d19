import { defineCommand } from '../../command.ts';
import { checkProfileName, readConfiguration, withProfile, writeConfiguration } from '../../config/profiles.ts';
import { readSecret } from '../../config/secret.ts';
import { readKeyFile } from '../../config/settings.ts';
import { shownProfile } from '../../config/shown.ts';
import { usageFailure } from '../../failure.ts';
import { checkBaseURL } from '../../config/base-url.ts';

export const command = defineCommand({
  arguments: [{ name: 'name', description: 'how it is called: letters, digits, dots, dashes' }],
  flags: {
    model: { type: 'string', short: 'm', value: 'id', description: 'the model of chat and of templates' },
    system: { type: 'string', short: 's', value: 'text', description: 'what chat tells a model before all else' },
    'no-key': { type: 'boolean', description: 'ask for no key: the server wants none' },
    force: { type: 'boolean', short: 'f', description: 'write over a profile of this name' },
  },
  description: `A server, its key and a model under one name. The key is asked for, or read from a pipe, or from --key-file: never from the
arguments. The first profile is the one in use.`,
  examples: [
    { what: 'A server, its key typed', line: 'modelwire profile add work --base-url https://models.example.com/v1' },
    {
      what: 'The key from a password store',
      line: 'pass show models | modelwire profile add work --base-url https://models.example.com/v1',
    },
  ],
  async run({ args: [given = ''], flags, terminal, print }) {
    const name = checkProfileName(given);
    const configuration = await readConfiguration(terminal);
    if (Object.hasOwn(configuration.profiles, name) && !flags.force) {
      throw usageFailure(`There is a profile "${name}" already`, 'Write over it with --force.');
    }
    const url = flags['base-url'];
    if (url !== undefined) checkBaseURL(url);
    const file = flags['key-file'];
    const key = flags['no-key']
      ? undefined
      : file === undefined
        ? await readSecret(terminal, `Key of ${url ?? name}: `)
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
    if (print.json) await print.value(shownProfile(changed, name));
    else print.note(`${name} is kept${changed.profile === name ? ', and in use' : `: modelwire profile use ${name}`}`);
    return undefined;
  },
});
