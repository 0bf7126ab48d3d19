import { archiveProject, createProject, listProjects, retrieveProject, updateProject } from '@modelwire/schema/routes';
import type { Project, ProjectList } from '@modelwire/schema/types';
import { usageError } from '../cli-error.ts';
import { defineCommand } from '../command.ts';
import type { Flags, Values } from '../command.ts';
import { limitFields, limitFlags, limitsOf, parsedOrNone } from '../limits.ts';
import type { Fields } from '../output/printer.ts';
import type { Column } from '../output/table.ts';
import { bytesText, parseBytes, timeText } from '../output/units.ts';
import { listFlags, listItems } from '../paging.ts';
import { callById, changesOf, defineResource } from '../resource-commands.ts';

const description = 'Requires an API key with the role admin.';
const resource = defineResource({ id: 'project', list: 'projects list', fields: projectFields });

const projectLimitFlags = {
  ...limitFlags,
  storage: {
    type: 'string',
    value: 'size',
    description: 'Maximum size of stored data, such as 10GB. "none" removes the limit',
  },
} as const satisfies Flags;

const columns: readonly Column<Project>[] = [
  { head: 'id', cell: ({ id }) => id },
  { head: 'name', shrinks: true, cell: ({ name }) => name },
  { head: 'status', cell: ({ status }) => status },
  { head: 'created', cell: (project) => timeText(project.created_at) },
];

function projectFields(project: Project): Fields {
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

export const list = defineCommand({
  arguments: [],
  flags: { ...listFlags, archived: { type: 'boolean', description: 'Include archived projects' } },
  description,
  examples: [{ what: 'List all projects', line: 'modelwire projects list --all' }],
  async run({ flags, transport, print, signal }) {
    const query = flags.archived ? { include_archived: 'true' } : {};
    const items = listItems<ProjectList>(await transport(), listProjects, flags, { query, signal });
    await print.rows(items, columns, 'No projects.');
  },
});

export const get = resource.call(
  'Show a project and its storage usage',
  'projects get shop',
  callById(retrieveProject),
);

export const create = defineCommand({
  arguments: [{ name: 'name', description: 'Name of the project' }],
  flags: { id: { type: 'string', description: 'ID of the project (default: a random one)' }, ...projectLimitFlags },
  description,
  examples: [
    {
      what: 'Create a project with a limit',
      line: 'modelwire projects create Shop --id shop --tokens-per-minute 100000',
    },
  ],
  run: resource.send(createProject, ({ args: [name = ''], flags }) => ({
    name,
    ...(flags.id !== undefined && { id: flags.id }),
    ...projectLimitsOf(flags),
  })),
});

export const update = defineCommand({
  arguments: [resource.argument],
  flags: { name: { type: 'string', description: 'New name' }, ...projectLimitFlags },
  description,
  examples: [
    { what: 'Limit the storage of a project', line: 'modelwire projects update shop --storage 10GB' },
    { what: 'Allow all models again', line: 'modelwire projects update shop --allow-model none' },
  ],
  run: resource.send(updateProject, ({ flags }) =>
    changesOf({ ...(flags.name !== undefined && { name: flags.name }), ...projectLimitsOf(flags) }),
  ),
});

export const archive = resource.call(
  'Archive a project',
  'projects archive shop',
  callById(archiveProject),
  description,
);

function projectLimitsOf(flags: Values<typeof projectLimitFlags>) {
  const bytes = parsedOrNone(flags.storage, sizeOf);
  return { ...limitsOf(flags), ...(bytes !== undefined && { storage_limit_bytes: bytes }) };
}

function sizeOf(text: string): number {
  const bytes = parseBytes(text);
  if (bytes === undefined)
    throw usageError(`Invalid value "${text}" for --storage: expected a size such as 10GB, or none.`);
  return bytes;
}
