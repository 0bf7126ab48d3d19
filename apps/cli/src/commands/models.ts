import { createModels } from '@modelwire/models';
import type { Model } from '@modelwire/models';
import { defineCommand } from '../command.ts';
import type { Column } from '../output/table.ts';
import { timeText } from '../output/units.ts';
import { defineResource } from '../resource-commands.ts';

const columns: readonly Column<Model>[] = [
  { head: 'id', cell: ({ id }) => id },
  { head: 'owner', cell: ({ owned_by }) => owned_by },
  { head: 'created', cell: ({ created }) => timeText(created) },
];

export const list = defineCommand({
  arguments: [],
  flags: {},
  examples: [
    { what: 'List all models', line: 'modelwire models list' },
    { what: 'Print only their IDs', line: 'modelwire models list --json | jq -r .id' },
  ],
  async run({ transport, print, signal }) {
    const { data } = await createModels(await transport()).list({ signal });
    await print.rows(data, columns, 'No models.');
  },
});

const resource = defineResource<Model>({
  id: 'model-id',
  list: 'models list',
  completes: 'model',
  fields: ({ id, owned_by, created }) => [
    ['id', id],
    ['owner', owned_by],
    ['created', timeText(created)],
  ],
});

export const get = resource.call('Show a model', 'models get simulator', (transport, id, options) =>
  createModels(transport).retrieve(id, options),
);
