import { defineCommand } from '../../command.ts';
import { findProfile } from '../../config/find-profile.ts';
import { DEFAULT_PROFILE, readConfiguration, withProfile, writeConfiguration } from '../../config/profiles.ts';

export const command = defineCommand({
  arguments: [{ name: 'name', completes: 'profile', description: 'as profile list shows it' }],
  flags: {},
  description: 'Its key is gone with it.',
  examples: [{ what: 'Forget a server', line: 'modelwire profile remove work' }],
  async run({ args: [name = ''], terminal, print }) {
    const configuration = await readConfiguration(terminal);
    findProfile(configuration, name);
    const left = withProfile(configuration, name, undefined);
    await writeConfiguration(terminal, left.profile === name ? { ...left, profile: DEFAULT_PROFILE } : left);
    if (print.json) await print.value({ name, removed: true });
    else print.note(`${name} is gone`);
    return undefined;
  },
});
