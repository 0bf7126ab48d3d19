import * as webhooks from '../organization/webhook.ts';
import * as routes from '../routes.ts';
import { adminEndpoint, endpoints, json } from './endpoint.ts';
import * as errors from './errors.ts';

/** Administration of webhooks, and the log of their deliveries. */
export const webhookEndpoints = endpoints(
  {
    'organization.webhooks.list': adminEndpoint(
      routes.listWebhooks,
      'List webhooks, without their secrets.',
      webhooks.webhookListSchema,
      { query: webhooks.webhookListQuerySchema },
    ),
    'organization.webhooks.create': adminEndpoint(
      routes.createWebhook,
      'Create a webhook. The response contains its signing secret, which cannot be retrieved later.',
      webhooks.webhookWithSecretSchema,
      {
        request: [
          json(webhooks.webhookCreateParamsSchema, {
            'All events': { url: 'https://hooks.example.com/modelwire' },
            'The end of batches of a project': {
              url: 'https://hooks.example.com/modelwire',
              project_id: 'default',
              event_types: ['batch.completed', 'batch.failed', 'batch.expired'],
            },
          }),
        ],
        errors: [errors.objectNotFound('project')],
      },
    ),
    'organization.webhooks.retrieve': adminEndpoint(
      routes.retrieveWebhook,
      'Retrieve a webhook, without its secret.',
      webhooks.webhookSchema,
    ),
    'organization.webhooks.update': adminEndpoint(
      routes.updateWebhook,
      'Change the URL, the name or the events of a webhook, or disable it.',
      webhooks.webhookSchema,
      { request: [json(webhooks.webhookUpdateParamsSchema, { 'Send nothing': { enabled: false } })] },
    ),
    'organization.webhooks.delete': adminEndpoint(
      routes.deleteWebhook,
      'Delete a webhook with its deliveries.',
      webhooks.webhookDeletedSchema,
    ),
    'organization.webhooks.rotate_secret': adminEndpoint(
      routes.rotateWebhookSecret,
      'Give a webhook a new signing secret.',
      webhooks.webhookWithSecretSchema,
      {
        request: [
          json(webhooks.webhookRotateSecretParamsSchema, { 'With a grace period of an hour': { grace_seconds: 3600 } }),
        ],
        errors: [errors.rotationInProgress],
      },
    ),
    'organization.webhooks.deliveries.list': adminEndpoint(
      routes.listWebhookDeliveries,
      'List the deliveries of a webhook, newest first.',
      webhooks.webhookDeliveryListSchema,
      { query: webhooks.webhookDeliveryListQuerySchema },
    ),
    'organization.webhooks.deliveries.retrieve': adminEndpoint(
      routes.retrieveWebhookDelivery,
      'Retrieve a delivery with its attempts.',
      webhooks.webhookDeliverySchema,
    ),
    'organization.webhooks.deliveries.redeliver': adminEndpoint(
      routes.redeliverWebhook,
      'Deliver an event again, whether or not it was delivered.',
      webhooks.webhookDeliverySchema,
      { errors: errors.invalidBody },
    ),
  },
  ['stores', 'webhooks'],
);
