import type { List } from './paging.ts';
import type { Open } from './open.ts';
import type { ReportPage } from './report.ts';
import type { CostsParams, WebhookEventType } from './requests.ts';

interface ShownLimits {
  requests_per_minute: number | null;
  tokens_per_minute: number | null;
  allowed_models: string[] | null;
  max_output_tokens: number | null;
}

/** All keys of a project share its records and limits. Times are Unix seconds. */
export interface Project extends ShownLimits {
  id: string;
  object: 'organization.project';
  name: string;
  status: Open<'active' | 'archived'>;
  created_at: number;
  archived_at: number | null;
  /** Storage quota for files, stored completions and stored responses, in bytes. */
  storage_limit_bytes: number | null;
  /** Only when one project is retrieved. */
  storage_used_bytes?: number;
}

export type ProjectList = List<Project>;

export type ProjectApiKeyRole = 'full' | 'read_only' | 'inference_only' | 'admin';

/** An API key, without its secret. Times are Unix seconds. */
export interface ProjectApiKey extends ShownLimits {
  id: string;
  object: 'organization.project.api_key';
  name: string;
  /** The first characters of the key. */
  redacted_value: string;
  project_id: string;
  role: Open<ProjectApiKeyRole>;
  created_at: number;
  /** Accurate to a minute. */
  last_used_at: number | null;
  expires_at: number | null;
  revoked_at: number | null;
}

export interface ProjectApiKeyWithValue extends ProjectApiKey {
  /** The key. It is shown once and not stored. */
  value: string;
}

export type ProjectApiKeyList = List<ProjectApiKey>;

export interface ProjectApiKeyDeleted {
  id: string;
  object: 'organization.project.api_key.deleted';
  deleted: boolean;
}

export type BudgetUnit = 'tokens' | 'cost';
export type BudgetPeriod = 'day' | 'month';

/** A spending limit of a key or a project. Amounts are tokens, or millionths of the currency of the price table. */
export interface Budget {
  id: string;
  object: 'organization.budget';
  project_id: string | null;
  api_key_id: string | null;
  unit: Open<BudgetUnit>;
  period: Open<BudgetPeriod>;
  soft_limit: number | null;
  hard_limit: number | null;
  /** Replaces `hard_limit` until the current period ends. */
  override_limit: number | null;
  spent: number;
  /** The amount that running requests have reserved. */
  reserved: number;
  period_start: number;
  resets_at: number;
  created_at: number;
}

/** All matching budgets in one page. */
export type BudgetList = List<Budget>;

export interface BudgetDeleted {
  id: string;
  object: 'organization.budget.deleted';
  deleted: boolean;
}

export type AuditLogType =
  | 'project.created'
  | 'project.updated'
  | 'project.archived'
  | 'api_key.created'
  | 'api_key.updated'
  | 'api_key.rotated'
  | 'api_key.deleted'
  | 'budget.created'
  | 'budget.updated'
  | 'budget.reset'
  | 'budget.deleted'
  | 'webhook.created'
  | 'webhook.updated'
  | 'webhook.rotated'
  | 'webhook.deleted';

/** An administrative action. */
export interface AuditLog {
  id: string;
  object: 'organization.audit_log';
  type: Open<AuditLogType>;
  /** Unix seconds. */
  effective_at: number;
  actor: { type: Open<'api_key' | 'system'>; api_key: { id: string } | null };
  project: { id: string } | null;
  resource_id: string;
  /** The fields that were set, with their new values. */
  changes: Record<string, unknown>;
}

/** Newest first. */
export type AuditLogList = List<AuditLog>;

export type CostsGrouping = NonNullable<CostsParams['group_by']>[number];

export interface CostsResult {
  object: 'organization.costs.result';
  /** `value` is exact to a millionth. */
  amount: { value: number; currency: string };
  project_id?: string | null;
  api_key_id?: string | null;
  /** The model. */
  line_item?: string | null;
}

export type CostsPage = ReportPage<CostsResult>;

/** A webhook endpoint, without its signing secret. */
export interface Webhook {
  id: string;
  object: 'organization.webhook';
  name: string;
  url: string;
  /** Null for the events of all projects and of the server. */
  project_id: string | null;
  /** Null for all. */
  event_types: Open<WebhookEventType>[] | null;
  enabled: boolean;
  /** Unix seconds. */
  created_at: number;
}

export interface WebhookWithSecret extends Webhook {
  /** Signs deliveries. It is shown once. */
  secret: string;
}

export type WebhookList = List<Webhook>;

export interface WebhookDeleted {
  id: string;
  object: 'organization.webhook.deleted';
  deleted: boolean;
}

export type WebhookDeliveryState = 'pending' | 'succeeded' | 'failed' | 'canceled';

/** One request to the URL of a webhook. */
export interface WebhookDeliveryAttempt {
  /** Unix seconds. */
  created_at: number;
  duration_ms: number;
  /** Null if there was no reply. */
  response_status: number | null;
  /** Null if it succeeded. */
  error: string | null;
}

/** An event for one webhook. Times are Unix seconds. */
export interface WebhookDelivery {
  id: string;
  object: 'organization.webhook.delivery';
  webhook_id: string;
  event_id: string;
  event_type: Open<WebhookEventType>;
  status: Open<WebhookDeliveryState>;
  /** The last 20 requests, the oldest first. */
  attempts: WebhookDeliveryAttempt[];
  /** Null if the delivery has ended. */
  next_attempt_at: number | null;
  created_at: number;
  /** The body of the requests. */
  payload: Record<string, unknown>;
}

/** Newest first. */
export type WebhookDeliveryList = List<WebhookDelivery>;
