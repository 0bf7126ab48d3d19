import type { Command, OptionValues } from '@commander-js/extra-typings';
import type { Project } from '@modelwire/client';
import type { Define } from '../app.ts';
import { limitFields, limitsOf, withLimitOptions } from '../limits.ts';
import { bytesFrom, nullIfNone, orNone } from '../option-values.ts';
import type { Fields } from '../output/printer.ts';
import { statusColor } from '../output/status-color.ts';
import type { Column } from '../output/table.ts';
import { bytesText, timeText } from '../output/units.ts';
import { listCommand, pageQuery, take } from '../paging.ts';
import { changesOf, resourceCommands } from '../resource-commands.ts';
import { subcommand } from '../subcommand.ts';

const details = 'Requires an API key with the role admin.';

const columns: readonly Column<Project>[] = [
  { head: 'id', cell: ({ id }) => id },
  { head: 'name', shrinks: true, cell: ({ name }) => name },
  { head: 'status', cell: ({ status }) => status, color: statusColor },
  { head: 'created', cell: (project) => timeText(project.created_at) },
];

export const define: Define = (group, app) => {
  const { print, signal } = app;
  const projects = async () => (await app.client()).organization.projects;
  const resource = resourceCommands(group, app, { id: 'project', example: 'shop', fields });

  listCommand(group, 'List projects', { 'List all projects': 'modelwire projects list --all' })
    .description(details)
    .option('--archived', 'Include archived projects')
    .action(async (flags) => {
      const query = { ...pageQuery(flags), include_archived: flags.archived && ('true' as const) };
      const list = (await projects()).list(query, { signal });
      await print.rows(take(list, flags), columns, 'No projects.');
    });

  resource.call('get', 'Show a project and its storage usage', ({ organization }, id, options) =>
    organization.projects.retrieve(id, options),
  );

  withLimits(
    subcommand(group, 'create', 'Create a project', {
      'Create a project with a limit': 'modelwire projects create Shop --id shop --tokens-per-minute 100000',
    }),
  )
    .argument('<name>', 'Name of the project')
    .option('--id <id>', 'ID of the project (default: a random one)')
    .action(async (name, { id, storage, ...limits }) => {
      const body = { name, id, ...limitsOf(limits), storage_limit_bytes: nullIfNone(storage) };
      await resource.print(await (await projects()).create(body, { signal }));
    });

  withLimits(
    resource.withId('update', 'Change the name or the limits of a project', {
      'Limit the storage of a project': 'modelwire projects update shop --storage 10GB',
      'Allow all models again': 'modelwire projects update shop --allow-model none',
    }),
  )
    .option('--name <name>', 'New name')
    .action(async (id, { name, storage, ...limits }) => {
      const changes = changesOf({ name, ...limitsOf(limits), storage_limit_bytes: nullIfNone(storage) });
      await resource.print(await (await projects()).update(id, changes, { signal }));
    });

  resource
    .call('archive', 'Archive a project and refuse its keys', ({ organization }, id, options) =>
      organization.projects.archive(id, options),
    )
    .description(details);
};

function withLimits<A extends unknown[], O extends OptionValues, G extends OptionValues>(command: Command<A, O, G>) {
  return withLimitOptions(command)
    .description(details)
    .option(
      '--storage <size>',
      'Maximum size of stored data, such as 10GB. "none" removes the limit',
      orNone(bytesFrom),
    );
}

function fields(project: Project): Fields {
  const { storage_limit_bytes: limit, storage_used_bytes: used } = project;
  return [
    ['id', project.id],
    ['name', project.name],
    ['status', project.status],
    ...limitFields(project),
    ['storage limit', limit === null ? null : bytesText(limit)],
    ['storage used', used === undefined ? undefined : bytesText(used)],
    ['created', timeText(project.created_at)],
    ['archived', timeText(project.archived_at)],
  ];
}
