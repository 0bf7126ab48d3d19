import * as z from 'zod';
import { deletionOf } from '../fields/deletion.ts';
import { graceSeconds } from './rotation.ts';
import { webhookEventTypes } from '../enums.ts';
import {
  constant,
  jsonObject,
  openEnum,
  requestObject,
  responseObject,
  string,
  text,
  timestamp,
} from '../fields/field.ts';
import { listOf, pageQuery } from '../fields/paging.ts';

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
  id: string('ID of the webhook.', 'webhook_abc123'),
  object: constant('organization.webhook'),
  name: string('Name of the webhook.', 'Alerts'),
  url: string('Where events are sent.', 'https://hooks.example.com/modelwire'),
  project_id: z
    .string()
    .nullable()
    .describe('The project whose events are sent. Null for the events of all projects and of the server.'),
  event_types: z
    .array(openEnum(webhookEventTypes, 'A type of events.'))
    .nullable()
    .meta({ description: 'The types of events that are sent. Null for all.', examples: [['batch.completed']] }),
  enabled: z.boolean().describe('Whether events are sent.'),
  created_at: timestamp('When the webhook was created.'),
};

export const webhookSchema = z
  .looseObject(shape)
  .meta({ id: 'Webhook', description: 'An endpoint that receives events, without its signing secret.' });

export const webhookWithSecretSchema = responseObject('WebhookWithSecret', 'A webhook with its signing secret.', {
  ...shape,
  secret: string('Signs deliveries. It is shown once.', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'),
});

export const webhookListSchema = listOf('WebhookList', 'A page of webhooks.', webhookSchema);

export const webhookListQuerySchema = z.strictObject({ ...pageQuery() });

export const webhookCreateParamsSchema = requestObject('WebhookCreateParams', 'A new webhook.', {
  url,
  name: name.optional().describe('Name of the webhook.'),
  project_id: z
    .string()
    .nullable()
    .optional()
    .describe('The project whose events are sent. Null for the events of all projects and of the server.'),
  event_types: eventTypes,
  enabled: enabled.meta({ description: 'Whether events are sent.', default: true }),
});

export const webhookUpdateParamsSchema = requestObject(
  'WebhookUpdateParams',
  'What changes in a webhook. Other fields stay as they are.',
  {
    url: url.optional(),
    name: name.optional().describe('Name of the webhook.'),
    event_types: eventTypes,
    enabled: enabled.describe(
      'Whether events are sent. While a webhook is disabled, deliveries that become due are canceled.',
    ),
  },
);

export const webhookRotateSecretParamsSchema = requestObject(
  'WebhookRotateSecretParams',
  'A new signing secret for a webhook.',
  {
    grace_seconds: graceSeconds('Seconds for which deliveries are also signed with the previous secret.'),
  },
);

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

export const webhookDeliverySchema = responseObject(
  'WebhookDelivery',
  'An event for one webhook. Deliveries are kept for 30 days.',
  {
    id: string('ID of the delivery.', 'evt_batch_abc123.webhook_abc123'),
    object: constant('organization.webhook.delivery'),
    webhook_id: string('ID of the webhook.', 'webhook_abc123'),
    event_id: string('ID of the event, which is sent as `webhook-id`.', 'evt_batch_abc123'),
    event_type: openEnum(webhookEventTypes, 'Type of the event.'),
    status: openEnum(deliveryStatuses, '`canceled`: the webhook was disabled before the delivery succeeded.'),
    attempts: z.array(webhookAttemptSchema).describe('The last 20 requests, the oldest first.'),
    next_attempt_at: timestamp('When the next request is due. Null if the delivery has ended.').nullable(),
    created_at: timestamp('When the event happened.'),
    payload: jsonObject().describe('The body of the requests.'),
  },
);

export const webhookDeliveryListSchema = listOf(
  'WebhookDeliveryList',
  'A page of deliveries, newest first.',
  webhookDeliverySchema,
);

export const webhookDeliveryListQuerySchema = z.strictObject({
  ...pageQuery(),
  status: z.enum(deliveryStatuses).optional().describe('Only deliveries with this status.'),
});
