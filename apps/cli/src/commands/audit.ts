import type { AuditLog } from '@modelwire/client';
import type { Define } from '../app.ts';
import { collect } from '../option-values.ts';
import type { Column } from '../output/table.ts';
import { timeText } from '../output/units.ts';
import { listCommand, pageQuery, take } from '../paging.ts';

const columns: readonly Column<AuditLog>[] = [
  { head: 'time', cell: (entry) => timeText(entry.effective_at) },
  { head: 'type', cell: ({ type }) => type },
  { head: 'actor', cell: ({ actor }) => actor.session?.user.name ?? actor.api_key?.id ?? 'system' },
  { head: 'project', cell: ({ project }) => project?.id },
  { head: 'resource', cell: (entry) => entry.resource_id },
  { head: 'changes', shrinks: true, cell: ({ changes }) => JSON.stringify(changes) },
];

export const define: Define = (audit, { client, print, signal }) => {
  listCommand(audit, 'List administrative actions, newest first', {
    'Show the last 20 administrative actions': 'modelwire audit list',
    'Show who revoked keys': 'modelwire audit list --type api_key.deleted --all',
  })
    .description('Requires an API key with the role admin.')
    .option('--project <id>', 'Only actions that concern these projects (repeatable)', collect)
    .option('--type <type>', 'Only actions of these types, such as api_key.created (repeatable)', collect)
    .option('--actor <id>', 'Only actions of these keys and people (repeatable)', collect)
    .option('--person <name>', 'Only actions of people with these names, such as email addresses (repeatable)', collect)
    .option('--resource <id>', 'Only actions on these resources (repeatable)', collect)
    .action(async (flags) => {
      const query = {
        ...pageQuery(flags),
        project_ids: flags.project,
        event_types: flags.type,
        actor_ids: flags.actor,
        actor_emails: flags.person,
        resource_ids: flags.resource,
      };
      const { auditLogs } = (await client()).organization;
      await print.rows(take(auditLogs.list(query, { signal }), flags), columns, 'No actions.');
    });
};
