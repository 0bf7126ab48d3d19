import type { Model } from '@modelwire/client';
import type { Define } from '../app.ts';
import type { Column } from '../output/table.ts';
import { timeText } from '../output/units.ts';
import { resourceCommands } from '../resource-commands.ts';
import { subcommand } from '../subcommand.ts';

const columns: readonly Column<Model>[] = [
  { head: 'id', cell: ({ id }) => id },
  { head: 'owner', cell: ({ owned_by }) => owned_by },
  { head: 'created', cell: ({ created }) => timeText(created) },
];

export const define: Define = (group, app) => {
  subcommand(group, 'list', 'List models', {
    'List all models': 'modelwire models list',
    'Print only their IDs': 'modelwire models list --json | jq -r .id',
  }).action(async () => {
    const { data } = await (await app.client()).models.list({ signal: app.signal });
    await app.print.rows(data, columns, 'No models.');
  });

  resourceCommands<Model>(group, app, {
    id: 'model',
    example: 'simulator',
    fields: (model) => columns.map(({ head, cell }) => [head, cell(model)]),
  }).call('get', 'Show a model', ({ models }, id, options) => models.retrieve(id, options));
};
