import * as webhooks from '../organization/webhook.ts';
import * as routes from '../routes.ts';
import { objectNotFound, endpoint, json, rotationInProgress } from './endpoint.ts';

const section = 'companion';
const needs = 'Needs a key with the role `admin`.';
const webhookNotFound = objectNotFound('webhook');
const deliveryNotFound = objectNotFound('webhook or delivery');

/** Administration of webhooks, and the log of their deliveries. */
export const webhookEndpoints = {
  'organization.webhooks.list': endpoint('organization.webhooks.list', {
    route: routes.listWebhooks,
    summary: `List webhooks, without their secrets. ${needs}`,
    section,
    query: webhooks.webhookListQuerySchema,
    response: webhooks.webhookListSchema,
  }),
  'organization.webhooks.create': endpoint('organization.webhooks.create', {
    route: routes.createWebhook,
    summary: `Create a webhook. The response contains its signing secret, which cannot be retrieved later. ${needs}`,
    section,
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
    response: webhooks.webhookWithSecretSchema,
    errors: [objectNotFound('project')],
  }),
  'organization.webhooks.retrieve': endpoint('organization.webhooks.retrieve', {
    route: routes.retrieveWebhook,
    summary: `Retrieve a webhook, without its secret. ${needs}`,
    section,
    response: webhooks.webhookSchema,
    errors: [webhookNotFound],
  }),
  'organization.webhooks.update': endpoint('organization.webhooks.update', {
    route: routes.updateWebhook,
    summary: `Change the URL, the name or the events of a webhook, or disable it. ${needs}`,
    section,
    request: [json(webhooks.webhookUpdateParamsSchema, { 'Send nothing': { enabled: false } })],
    response: webhooks.webhookSchema,
    errors: [webhookNotFound],
  }),
  'organization.webhooks.delete': endpoint('organization.webhooks.delete', {
    route: routes.deleteWebhook,
    summary: `Delete a webhook with its deliveries. ${needs}`,
    section,
    response: webhooks.webhookDeletedSchema,
    errors: [webhookNotFound],
  }),
  'organization.webhooks.rotate_secret': endpoint('organization.webhooks.rotate_secret', {
    route: routes.rotateWebhookSecret,
    summary: `Give a webhook a new signing secret. ${needs}`,
    section,
    request: [
      json(webhooks.webhookRotateSecretParamsSchema, { 'With a grace period of an hour': { grace_seconds: 3600 } }),
    ],
    response: webhooks.webhookWithSecretSchema,
    errors: [webhookNotFound, rotationInProgress],
  }),
  'organization.webhooks.deliveries.list': endpoint('organization.webhooks.deliveries.list', {
    route: routes.listWebhookDeliveries,
    summary: `List the deliveries of a webhook, newest first. ${needs}`,
    section,
    query: webhooks.webhookDeliveryListQuerySchema,
    response: webhooks.webhookDeliveryListSchema,
    errors: [webhookNotFound],
  }),
  'organization.webhooks.deliveries.retrieve': endpoint('organization.webhooks.deliveries.retrieve', {
    route: routes.retrieveWebhookDelivery,
    summary: `Retrieve a delivery with its attempts. ${needs}`,
    section,
    response: webhooks.webhookDeliverySchema,
    errors: [deliveryNotFound],
  }),
  'organization.webhooks.deliveries.redeliver': endpoint('organization.webhooks.deliveries.redeliver', {
    route: routes.redeliverWebhook,
    summary: `Deliver an event again, whether or not it was delivered. ${needs}`,
    section,
    response: webhooks.webhookDeliverySchema,
    errors: [deliveryNotFound],
  }),
};
