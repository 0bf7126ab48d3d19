import { webhookEventTypes } from '@modelwire/client';
import type { Webhook, WebhookDelivery, WebhookWithSecret } from '@modelwire/client';
import type { Define } from '../app.ts';
import { usageError } from '../cli-error.ts';
import { choice, collectFrom, secondsFrom } from '../option-values.ts';
import type { Fields } from '../output/printer.ts';
import { statusColor } from '../output/status-color.ts';
import type { Column } from '../output/table.ts';
import { timeText } from '../output/units.ts';
import { listCommand, pageQuery, take } from '../paging.ts';
import { changesOf, resourceCommands } from '../resource-commands.ts';
import { subcommand } from '../subcommand.ts';

const details = 'Requires an API key with the role admin.';
const events = collectFrom(webhookEventTypes);
const eventsText = 'Only events of these types, such as batch.completed (default: all; repeatable)';

const columns: readonly Column<Webhook>[] = [
  { head: 'id', cell: (webhook) => webhook.id },
  { head: 'name', cell: ({ name }) => name },
  { head: 'url', shrinks: true, cell: ({ url }) => url },
  { head: 'project', cell: (webhook) => webhook.project_id },
  { head: 'enabled', cell: ({ enabled }) => (enabled ? 'yes' : 'no') },
];

const deliveryColumns: readonly Column<WebhookDelivery>[] = [
  { head: 'id', cell: (delivery) => delivery.id },
  { head: 'event', cell: (delivery) => delivery.event_type },
  { head: 'status', cell: ({ status }) => status, color: statusColor },
  { head: 'attempts', right: true, cell: ({ attempts }) => attempts.length },
  { head: 'last error', shrinks: true, cell: ({ attempts }) => attempts.at(-1)?.error },
  { head: 'next attempt', cell: (delivery) => timeText(delivery.next_attempt_at) },
];

export const define: Define = (group, app) => {
  const { print, signal } = app;
  const webhooks = async () => (await app.client()).organization.webhooks;
  const resource = resourceCommands(group, app, { id: 'webhook-id', example: 'webhook_abc123', fields });

  listCommand(group, 'List webhooks', { 'List webhooks': 'modelwire webhooks list' })
    .description(details)
    .action(async (flags) => {
      const list = (await webhooks()).list(pageQuery(flags), { signal });
      await print.rows(take(list, flags), columns, 'No webhooks.');
    });

  resource.call('get', 'Show a webhook', ({ organization }, id, options) =>
    organization.webhooks.retrieve(id, options),
  );

  subcommand(group, 'create', 'Create a webhook', {
    'Send an event when a batch is completed or failed':
      'modelwire webhooks create https://hooks.example.com/modelwire --event batch.completed --event batch.failed',
  })
    .description(`The signing secret is printed once and cannot be shown again. ${details}`)
    .argument('<url>', 'URL to send events to')
    .option('--name <name>', 'Name of the webhook')
    .option('--project <id>', 'Only events of this project')
    .option('--event <type>', eventsText, events)
    .action(async (url, { name, project: project_id, event: event_types }) =>
      resource.print(await (await webhooks()).create({ url, name, project_id, event_types }, { signal })),
    );

  resource
    .withId('update', 'Change, enable or disable a webhook', {
      'Stop sending events': 'modelwire webhooks update webhook_abc123 --disable',
    })
    .description(details)
    .option('--name <name>', 'New name')
    .option('--url <url>', 'New URL')
    .option('--event <type>', eventsText, events)
    .option('--enable', 'Send events')
    .option('--disable', 'Stop sending events, and cancel pending deliveries')
    .action(async (id, { name, url, event: event_types, enable, disable }) => {
      if (enable && disable) throw usageError('--enable and --disable cannot be combined.');
      const changes = changesOf({ name, url, event_types, enabled: enable ?? (disable && false) });
      return resource.print(await (await webhooks()).update(id, changes, { signal }));
    });

  resource
    .withId('rotate', 'Replace the signing secret of a webhook', {
      'Replace the secret, with a grace period of an hour': 'modelwire webhooks rotate webhook_abc123 --grace 1h',
    })
    .description(`The new secret is printed once and cannot be shown again. ${details}`)
    .option(
      '--grace <time>',
      'Time for which deliveries are also signed with the previous secret, such as 1h (default: none)',
      secondsFrom,
    )
    .action(async (id, { grace: grace_seconds }) =>
      resource.print(await (await webhooks()).rotateSecret(id, { grace_seconds }, { signal })),
    );

  listCommand(
    group,
    'List the deliveries of a webhook, newest first',
    { 'Show failed deliveries': 'modelwire webhooks deliveries webhook_abc123 --status failed' },
    'deliveries',
  )
    .description(details)
    .argument('<webhook-id>', 'ID from modelwire webhooks list')
    .addOption(
      choice('--status <status>', 'Only deliveries with this status', ['pending', 'succeeded', 'failed', 'canceled']),
    )
    .action(async (id, flags) => {
      const { deliveries } = await webhooks();
      const list = deliveries.list(id, { ...pageQuery(flags), status: flags.status }, { signal });
      await print.rows(take(list, flags), deliveryColumns, 'No deliveries.');
    });

  resource
    .withId('redeliver', 'Send an event again', {
      'Send an event again': 'modelwire webhooks redeliver webhook_abc123 evt_batch_abc123.webhook_abc123',
    })
    .description(details)
    .argument('<delivery-id>', 'ID from modelwire webhooks deliveries')
    .action(async (webhook_id, id) => {
      const delivery = await (await webhooks()).deliveries.redeliver(id, { webhook_id }, { signal });
      await print.done(delivery, `Queued ${delivery.id}.`);
    });

  resource.delete('Delete webhooks', ({ organization }, id, options) => organization.webhooks.delete(id, options));
};

function fields(webhook: Webhook | WebhookWithSecret): Fields {
  return [
    ['id', webhook.id],
    ['name', webhook.name],
    ['url', webhook.url],
    ['project', webhook.project_id],
    ['events', webhook.event_types?.join(' ') ?? 'all'],
    ['enabled', webhook.enabled ? 'yes' : 'no'],
    ['created', timeText(webhook.created_at)],
    ['secret', 'secret' in webhook ? webhook.secret : undefined],
  ];
}
