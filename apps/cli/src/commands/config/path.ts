import { defineCommand } from '../../command.ts';
import { pathsOf } from '../../config/paths.ts';
import { configPath } from '../../config/profiles.ts';

export const command = defineCommand({
  arguments: [],
  flags: {},
  examples: [{ what: 'Where things are kept', line: 'modelwire config path' }],
  async run({ terminal, print }) {
    const { state, cache } = pathsOf(terminal);
    const config = configPath(terminal);
    await print.record({ config, state, cache }, [
      ['config', config],
      ['state', state],
      ['cache', cache],
    ]);
    return undefined;
  },
});
