import { defineCommand } from '../../command.ts';
import { readSettings } from '../../config/settings.ts';
import { shownKey } from '../../config/shown.ts';

export const command = defineCommand({
  arguments: [],
  flags: {},
  description:
    'What commands go by, and where each of it comes from: flags, the environment, the profile, or a default.',
  examples: [{ what: 'What counts here', line: 'modelwire config list' }],
  async run({ terminal, flags, print }) {
    const { profile, baseURL, key, model, system } = await readSettings(terminal, flags);
    const shown = key && shownKey(key.value);
    await print.record(
      {
        profile,
        base_url: { value: baseURL.value, from: baseURL.from },
        api_key: key && { value: shown, from: key.from },
        model: model && { value: model.value, from: model.from },
        system: system ?? null,
      },
      [
        ['profile', profile],
        ['base-url', `${baseURL.value}  (${baseURL.from})`],
        ['api-key', key === undefined ? 'none' : `${shown ?? ''}  (${key.from})`],
        ['model', model && `${model.value}  (${model.from})`],
        ['system', system],
      ],
    );
    return undefined;
  },
});
