import * as z from 'zod';
import { deletionOf } from '../deletion.ts';
import { webhookEventTypes } from '../enums.ts';
import { constant, id, integer, jsonObject, open, text, timestamp } from '../field.ts';
import { listOf, pageQuery } from '../paging.ts';

export const webhookEventTypeSchema = z.enum(webhookEventTypes);

const deliveryStatuses = ['pending', 'succeeded', 'failed', 'canceled'] as const;

const name = text({ max: 200 });
const url = text({ min: 1, max: 2048 }).describe(
  'Where events are sent: an `http` or `https` URL without credentials. Its host must be on the public internet, or listed in `webhookTrustedHosts`.',
);
const eventTypes = z
  .array(webhookEventTypeSchema)
  .min(1)
  .max(webhookEventTypes.length)
  .nullable()
  .optional()
  .meta({ description: 'The types of events that are sent. Null for all.', examples: [['batch.completed']] });
const enabled = z.boolean().optional();

const shape = {
  id: id('ID of the webhook.', 'webhook_abc123'),
  object: constant('organization.webhook'),
  name: z.string().meta({ description: 'Name of the webhook.', examples: ['Alerts'] }),
  url: z.string().meta({ description: 'Where events are sent.', examples: ['https://hooks.example.com/modelwire'] }),
  project_id: z
    .string()
    .nullable()
    .describe('The project whose events are sent. Null for the events of all projects and of the server.'),
  event_types: z
    .array(open(webhookEventTypes, 'A type of events.'))
    .nullable()
    .meta({ description: 'The types of events that are sent. Null for all.', examples: [['batch.completed']] }),
  enabled: z.boolean().describe('Whether events are sent.'),
  created_at: timestamp('When the webhook was created.'),
};

export const webhookSchema = z
  .looseObject(shape)
  .meta({ id: 'Webhook', description: 'An endpoint that receives events, without its signing secret.' });

export const webhookWithSecretSchema = z
  .looseObject({
    ...shape,
    secret: z.string().meta({
      description: 'Signs deliveries. It is shown once.',
      examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    }),
  })
  .meta({ id: 'WebhookWithSecret', description: 'A webhook with its signing secret.' });

export const webhookListSchema = listOf(webhookSchema).meta({ id: 'WebhookList', description: 'A page of webhooks.' });

export const webhookListQuerySchema = z.strictObject({ ...pageQuery() });

export const webhookCreateParamsSchema = z
  .strictObject({
    url,
    name: name.optional().describe('Name of the webhook.'),
    project_id: z
      .string()
      .nullable()
      .optional()
      .describe('The project whose events are sent. Null for the events of all projects and of the server.'),
    event_types: eventTypes,
    enabled: enabled.meta({ description: 'Whether events are sent.', default: true }),
  })
  .meta({ id: 'WebhookCreateParams', description: 'A new webhook.' });

export const webhookUpdateParamsSchema = z
  .strictObject({
    url: url.optional(),
    name: name.optional().describe('Name of the webhook.'),
    event_types: eventTypes,
    enabled: enabled.describe(
      'Whether events are sent. While a webhook is disabled, deliveries that become due are canceled.',
    ),
  })
  .meta({ id: 'WebhookUpdateParams', description: 'What changes in a webhook. Other fields stay as they are.' });

export const webhookRotateSecretParamsSchema = z
  .strictObject({
    grace_seconds: integer({ min: 0, max: 2_592_000 })
      .optional()
      .meta({ description: 'Seconds for which deliveries are also signed with the previous secret.', default: 0 }),
  })
  .meta({ id: 'WebhookRotateSecretParams', description: 'A new signing secret for a webhook.' });

export const webhookDeletedSchema = deletionOf('webhook', {
  id: 'webhook_abc123',
  object: 'organization.webhook.deleted',
}).meta({ id: 'WebhookDeleted', description: 'The deletion of a webhook.' });

const webhookAttemptSchema = z.looseObject({
  created_at: timestamp('When the request was sent.'),
  duration_ms: z.int().describe('Milliseconds until the reply, or until the request failed.'),
  response_status: z.int().nullable().describe('Status of the reply. Null if there was none.'),
  error: z.string().nullable().describe('Why the attempt failed. Null if it succeeded.'),
});

export const webhookDeliverySchema = z
  .looseObject({
    id: id('ID of the delivery.', 'evt_batch_abc123.webhook_abc123'),
    object: constant('organization.webhook.delivery'),
    webhook_id: id('ID of the webhook.', 'webhook_abc123'),
    event_id: id('ID of the event, which is sent as `webhook-id`.', 'evt_batch_abc123'),
    event_type: open(webhookEventTypes, 'Type of the event.'),
    status: open(deliveryStatuses, '`canceled`: the webhook was disabled before the delivery succeeded.'),
    attempts: z.array(webhookAttemptSchema).describe('The last 20 requests, the oldest first.'),
    next_attempt_at: timestamp('When the next request is due. Null if the delivery has ended.').nullable(),
    created_at: timestamp('When the event happened.'),
    payload: jsonObject().describe('The body of the requests.'),
  })
  .meta({ id: 'WebhookDelivery', description: 'An event for one webhook. Deliveries are kept for 30 days.' });

export const webhookDeliveryListSchema = listOf(webhookDeliverySchema).meta({
  id: 'WebhookDeliveryList',
  description: 'A page of deliveries, newest first.',
});

export const webhookDeliveryListQuerySchema = z.strictObject({
  ...pageQuery(),
  status: z.enum(deliveryStatuses).optional().describe('Only deliveries with this status.'),
});
