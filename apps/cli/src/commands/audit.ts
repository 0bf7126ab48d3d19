import { listAuditLogs } from '@modelwire/schema/routes';
import type { AuditLog, AuditLogList } from '@modelwire/schema/types';
import { defineCommand } from '../command.ts';
import type { Column } from '../output/table.ts';
import { timeText } from '../output/units.ts';
import { listFlags, listItems } from '../paging.ts';

const columns: readonly Column<AuditLog>[] = [
  { head: 'time', cell: (entry) => timeText(entry.effective_at) },
  { head: 'type', cell: ({ type }) => type },
  { head: 'actor', cell: ({ actor }) => actor.api_key?.id ?? 'system' },
  { head: 'project', cell: ({ project }) => project?.id },
  { head: 'resource', cell: (entry) => entry.resource_id },
  { head: 'changes', shrinks: true, cell: ({ changes }) => JSON.stringify(changes) },
];

export const list = defineCommand({
  arguments: [],
  flags: {
    ...listFlags,
    project: { type: 'string', multiple: true, value: 'id', description: 'Only actions that concern these projects' },
    type: { type: 'string', multiple: true, description: 'Only actions of these types, such as api_key.created' },
    actor: { type: 'string', multiple: true, value: 'key-id', description: 'Only actions of these keys' },
    resource: { type: 'string', multiple: true, value: 'id', description: 'Only actions on these resources' },
  },
  description: 'Requires an API key with the role admin.',
  examples: [
    { what: 'Show the last 20 administrative actions', line: 'modelwire audit list' },
    { what: 'Show who revoked keys', line: 'modelwire audit list --type api_key.deleted --all' },
  ],
  async run({ flags, transport, print, signal }) {
    const query = {
      ...(flags.project.length > 0 && { project_ids: flags.project }),
      ...(flags.type.length > 0 && { event_types: flags.type }),
      ...(flags.actor.length > 0 && { actor_ids: flags.actor }),
      ...(flags.resource.length > 0 && { resource_ids: flags.resource }),
    };
    const items = listItems<AuditLogList>(await transport(), listAuditLogs, flags, { query, signal });
    await print.rows(items, columns, 'No actions.');
  },
});
