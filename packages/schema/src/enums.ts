// Values of fields, for selections and checks in clients. Without zod.

/** Purposes that an uploaded file can have. */
export const filePurposes = ['assistants', 'batch', 'fine-tune', 'vision', 'user_data', 'evals'] as const;

/** Types of entries of the audit log. */
export const auditLogTypes = [
  'login.succeeded',
  'project.created',
  'project.updated',
  'project.archived',
  'api_key.created',
  'api_key.updated',
  'api_key.rotated',
  'api_key.deleted',
  'budget.created',
  'budget.updated',
  'budget.reset',
  'budget.deleted',
  'webhook.created',
  'webhook.updated',
  'webhook.rotated',
  'webhook.deleted',
] as const;

/** Types of events that a webhook can be limited to. */
export const webhookEventTypes = [
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
] as const;
