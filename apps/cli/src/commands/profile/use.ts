import { defineCommand } from '../../command.ts';
import { findProfile } from '../../config/find-profile.ts';
import { readConfiguration, writeConfiguration } from '../../config/profiles.ts';
import { shownProfile } from '../../config/shown.ts';

export const command = defineCommand({
  arguments: [{ name: 'name', completes: 'profile', description: 'as profile list shows it' }],
  flags: {},
  examples: [{ what: 'From now on', line: 'modelwire profile use work' }],
  async run({ args: [name = ''], terminal, print }) {
    const configuration = await readConfiguration(terminal);
    findProfile(configuration, name);
    const changed = { ...configuration, profile: name };
    await writeConfiguration(terminal, changed);
    if (print.json) await print.value(shownProfile(changed, name));
    else print.note(`${name} is in use`);
    return undefined;
  },
});
