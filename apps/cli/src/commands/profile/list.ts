import { defineCommand } from '../../command.ts';
import { readConfiguration } from '../../config/profiles.ts';
import { shownProfile } from '../../config/shown.ts';
import type { ShownProfile } from '../../config/shown.ts';
import type { Column } from '../../output/table.ts';

const columns: readonly Column<ShownProfile>[] = [
  { head: 'in use', cell: ({ in_use }) => (in_use ? '*' : '') },
  { head: 'name', cell: ({ name }) => name },
  { head: 'server', shrinks: true, cell: ({ base_url }) => base_url },
  { head: 'key', cell: ({ api_key }) => api_key },
  { head: 'model', cell: ({ model }) => model },
];

export const command = defineCommand({
  arguments: [],
  flags: {},
  examples: [{ what: 'All profiles', line: 'modelwire profile list' }],
  async run({ terminal, print }) {
    const configuration = await readConfiguration(terminal);
    const rows = Object.keys(configuration.profiles).map((name) => shownProfile(configuration, name));
    const pages = async function* () {
      yield rows;
    };
    await print.rows(pages(), columns, 'No profiles: modelwire profile add <name>');
    return undefined;
  },
});
