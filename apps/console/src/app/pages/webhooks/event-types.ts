import type { WebhookEventType } from '@modelwire/client';

/** The types of events that a webhook can be limited to. */
export const eventTypes: readonly WebhookEventType[] = [
  'batch.completed',
  'batch.failed',
  'batch.expired',
  'batch.cancelled',
  'response.completed',
  'response.incomplete',
  'response.failed',
  'response.cancelled',
  'video.completed',
  'video.failed',
  'budget.soft_limit_reached',
  'budget.hard_limit_reached',
  'upstream.down',
  'upstream.up',
];
