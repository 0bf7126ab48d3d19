import { createModels } from '@modelwire/models';
import type { Model } from '@modelwire/models';
import { defineCommand } from '../../command.ts';
import type { Column } from '../../output/table.ts';
import { timeText } from '../../output/units.ts';

const columns: readonly Column<Model>[] = [
  { head: 'id', cell: ({ id }) => id },
  { head: 'owner', cell: ({ owned_by }) => owned_by },
  { head: 'created', cell: ({ created }) => timeText(created) },
];

export const command = defineCommand({
  arguments: [],
  flags: {},
  examples: [
    { what: 'All models', line: 'modelwire models list' },
    { what: 'Their ids alone', line: 'modelwire models list --json | jq -r .id' },
  ],
  async run({ transport, print, signal }) {
    const list = createModels(await transport()).list({ signal });
    const pages = async function* () {
      yield (await list).data;
    };
    await print.rows(pages(), columns, 'No models.');
    return undefined;
  },
});
