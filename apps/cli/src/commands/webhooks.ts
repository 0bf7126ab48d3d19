import {
  createWebhook,
  deleteWebhook,
  listWebhookDeliveries,
  listWebhooks,
  redeliverWebhook,
  retrieveWebhook,
  rotateWebhookSecret,
  updateWebhook,
} from '@modelwire/schema/routes';
import type {
  Webhook,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookList,
  WebhookWithSecret,
} from '@modelwire/schema/types';
import { usageError } from '../cli-error.ts';
import { defineCommand } from '../command.ts';
import { secondsOf } from '../duration.ts';
import type { Fields } from '../output/printer.ts';
import type { Column } from '../output/table.ts';
import { timeText } from '../output/units.ts';
import { listFlags, listItems } from '../paging.ts';
import { callById, changesOf, defineResource } from '../resource-commands.ts';

const description = 'Requires an API key with the role admin.';
const resource = defineResource({ id: 'webhook-id', list: 'webhooks list', fields: webhookFields });
const eventFlag = {
  type: 'string',
  multiple: true,
  value: 'type',
  description: 'Only events of these types, such as batch.completed (default: all)',
} as const;

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
  { head: 'status', cell: ({ status }) => status },
  { head: 'attempts', right: true, cell: ({ attempts }) => attempts.length },
  { head: 'last error', shrinks: true, cell: ({ attempts }) => attempts.at(-1)?.error },
  { head: 'next attempt', cell: (delivery) => timeText(delivery.next_attempt_at) },
];

function webhookFields(webhook: Webhook | WebhookWithSecret): Fields {
  return [
    ['id', webhook.id],
    ['name', webhook.name],
    ['url', webhook.url],
    ['project', webhook.project_id],
    ['events', webhook.event_types?.join(' ') ?? 'all'],
    ['enabled', webhook.enabled ? 'yes' : 'no'],
    ['created', timeText(webhook.created_at)],
    ...('secret' in webhook ? [['secret', webhook.secret] as const] : []),
  ];
}

export const list = defineCommand({
  arguments: [],
  flags: listFlags,
  description,
  examples: [{ what: 'List webhooks', line: 'modelwire webhooks list' }],
  async run({ flags, transport, print, signal }) {
    const items = listItems<WebhookList>(await transport(), listWebhooks, flags, { signal });
    await print.rows(items, columns, 'No webhooks.');
  },
});

export const get = resource.call('Show a webhook', 'webhooks get webhook_abc123', callById(retrieveWebhook));

export const create = defineCommand({
  arguments: [{ name: 'url', description: 'URL to send events to' }],
  flags: {
    name: { type: 'string', description: 'Name of the webhook' },
    project: { type: 'string', value: 'id', description: 'Only events of this project' },
    event: eventFlag,
  },
  description: `The signing secret is printed once and cannot be shown again. ${description}`,
  examples: [
    {
      what: 'Send an event when a batch is completed or failed',
      line: 'modelwire webhooks create https://hooks.example.com/modelwire --event batch.completed --event batch.failed',
    },
  ],
  run: resource.send(createWebhook, ({ args: [url = ''], flags }) => ({
    url,
    ...(flags.name !== undefined && { name: flags.name }),
    ...(flags.project !== undefined && { project_id: flags.project }),
    ...(flags.event.length > 0 && { event_types: flags.event }),
  })),
});

export const update = defineCommand({
  arguments: [resource.argument],
  flags: {
    name: { type: 'string', description: 'New name' },
    url: { type: 'string', description: 'New URL' },
    event: eventFlag,
    enable: { type: 'boolean', description: 'Send events' },
    disable: { type: 'boolean', description: 'Stop sending events, and cancel pending deliveries' },
  },
  description,
  examples: [{ what: 'Stop sending events', line: 'modelwire webhooks update webhook_abc123 --disable' }],
  run: resource.send(updateWebhook, ({ flags }) => {
    if (flags.enable && flags.disable) throw usageError('--enable and --disable cannot be combined.');
    return changesOf({
      ...(flags.name !== undefined && { name: flags.name }),
      ...(flags.url !== undefined && { url: flags.url }),
      ...(flags.event.length > 0 && { event_types: flags.event }),
      ...((flags.enable || flags.disable) && { enabled: flags.enable }),
    });
  }),
});

export const rotate = defineCommand({
  arguments: [resource.argument],
  flags: {
    grace: {
      type: 'string',
      value: 'time',
      description: 'Time for which deliveries are also signed with the previous secret, such as 1h (default: none)',
    },
  },
  description: `The new secret is printed once and cannot be shown again. ${description}`,
  examples: [
    {
      what: 'Replace the secret, with a grace period of an hour',
      line: 'modelwire webhooks rotate webhook_abc123 --grace 1h',
    },
  ],
  run: resource.send(rotateWebhookSecret, ({ flags }) =>
    flags.grace === undefined ? {} : { grace_seconds: secondsOf('--grace', flags.grace) },
  ),
});

export const deliveries = defineCommand({
  arguments: [resource.argument],
  flags: {
    ...listFlags,
    status: {
      type: 'string',
      choices: ['pending', 'succeeded', 'failed', 'canceled'],
      description: 'Only deliveries with this status',
    },
  },
  description,
  examples: [{ what: 'Show failed deliveries', line: 'modelwire webhooks deliveries webhook_abc123 --status failed' }],
  async run({ args: [webhook_id = ''], flags, transport, print, signal }) {
    const options = { params: { webhook_id }, query: { status: flags.status }, signal };
    const items = listItems<WebhookDeliveryList>(await transport(), listWebhookDeliveries, flags, options);
    await print.rows(items, deliveryColumns, 'No deliveries.');
  },
});

export const redeliver = defineCommand({
  arguments: [resource.argument, { name: 'delivery-id', description: 'ID from modelwire webhooks deliveries' }],
  flags: {},
  description,
  examples: [
    {
      what: 'Send an event again',
      line: 'modelwire webhooks redeliver webhook_abc123 evt_batch_abc123.webhook_abc123',
    },
  ],
  async run({ args: [webhook_id = '', delivery_id = ''], transport, print, signal }) {
    const options = { params: { webhook_id, delivery_id }, signal };
    const delivery = await (await transport()).request<WebhookDelivery>(redeliverWebhook, options);
    if (print.json) await print.value(delivery);
    else print.note(`Queued ${delivery.id}.`);
  },
});

const deleteWebhooks = resource.delete(
  'Delete a webhook with its deliveries',
  'webhooks delete webhook_abc123',
  callById(deleteWebhook),
);
export { deleteWebhooks as delete };
