import type { AuditEntry } from './audit-store.ts';
import type { Lease } from './job-store.ts';
import type { Page } from './page.ts';

/** An endpoint that receives events. */
export interface WebhookRecord {
  /** Unique. */
  readonly id: string;
  readonly name: string;
  readonly url: string;
  /** The project whose events it receives; null for the events of all projects and of the server. */
  readonly project: string | null;
  /** The types of events that it receives; null for all. */
  readonly events: readonly string[] | null;
  /** While it is disabled, no events are queued for it. */
  readonly isEnabled: boolean;
  /** Signs deliveries: `whsec_` and base64. */
  readonly secret: string;
  /** The secret before the last rotation, which also signs until `previousValidUntil` (Unix seconds). */
  readonly previousSecret: string | null;
  readonly previousValidUntil: number | null;
  /** Unix seconds. */
  readonly created: number;
}

/** Fields that are undefined stay as they are. */
export type WebhookChanges = {
  readonly [Field in 'name' | 'url' | 'events' | 'isEnabled']?: WebhookRecord[Field] | undefined;
};

/** A new secret of a webhook. */
export interface WebhookRotation {
  readonly secret: string;
  /** Unix seconds: until then, deliveries are also signed with the secret that it replaces. Null: they are not. */
  readonly previousValidUntil: number | null;
  /** Unix seconds: nothing changes if the previous secret is still valid then. Default: its validity ends. */
  readonly unlessPreviousValidAt?: number | undefined;
}

/** An event to publish. */
export interface WebhookEvent {
  /** Unique. An event is queued once for each endpoint, however often it is published. */
  readonly id: string;
  /** Such as `batch.completed`. */
  readonly type: string;
  /** Null for events of the server. */
  readonly project: string | null;
  /** Unix seconds. */
  readonly created: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** `canceled`: the endpoint was disabled before the delivery succeeded. */
export type WebhookDeliveryStatus = 'pending' | 'succeeded' | 'failed' | 'canceled';

/** One request to an endpoint. */
export interface WebhookAttempt {
  /** Unix seconds. */
  readonly at: number;
  readonly durationMs: number;
  /** Status of the response; null if there was none. */
  readonly status: number | null;
  /** Why it failed; null when it succeeded. */
  readonly error: string | null;
}

/** An event for one endpoint, from its publication until its record expires. */
export interface WebhookDelivery {
  /** Unique. Also the ID of the job of kind `webhook` that delivers it. */
  readonly id: string;
  readonly webhook: string;
  readonly event: string;
  readonly type: string;
  /** The JSON that is sent. */
  readonly payload: string;
  readonly status: WebhookDeliveryStatus;
  /** The last `webhookAttemptsKept` requests, the oldest first. */
  readonly attempts: readonly WebhookAttempt[];
  /** Unix seconds. */
  readonly created: number;
  /** Unix seconds: when the next request is due; null when it has ended. */
  readonly nextAttempt: number | null;
}

/** How many attempts of a delivery are kept. */
export const webhookAttemptsKept = 20;

/** The state of a delivery after an attempt. */
export type WebhookOutcome =
  | { readonly status: Exclude<WebhookDeliveryStatus, 'pending'> }
  | { readonly retryAfterMs: number; /** Unix seconds, for display. */ readonly nextAttempt: number };

/**
 * Webhook endpoints, and the queue of deliveries to them. Each delivery is a job of kind `webhook`, whose `project` is the ID of the endpoint,
 * so that workers serve endpoints fairly.
 */
export interface WebhookStore {
  add(webhook: WebhookRecord, audit?: AuditEntry): Promise<void>;
  get(id: string): Promise<WebhookRecord | undefined>;
  /** In the order they were added. */
  list(): Promise<readonly WebhookRecord[]>;
  /** Returns the updated webhook; undefined if it does not exist. */
  update(id: string, changes: WebhookChanges, audit?: AuditEntry): Promise<WebhookRecord | undefined>;
  /** Replaces the secret. Undefined when there is no such webhook, or its previous secret is still valid at `unlessPreviousValidAt`. */
  rotate(id: string, rotation: WebhookRotation, audit?: AuditEntry): Promise<WebhookRecord | undefined>;
  /** Deletes the endpoint. Its deliveries are not sent any more; `Stores.removeExpired` removes them. Returns false if it does not exist. */
  delete(id: string, audit?: AuditEntry): Promise<boolean>;
  /**
   * Queues the event for each enabled endpoint that subscribes to it. Durable when it resolves. Events of batches, videos and background
   * responses are queued by their stores, in the commit that ends them: `batch.<status>`, `video.<status>`, `response.<status>`.
   */
  publish(event: WebhookEvent): Promise<void>;
  /** Of an endpoint, newest first. Undefined when there is no delivery `after`. */
  deliveries(query: {
    readonly webhook: string;
    readonly after?: string | undefined;
    readonly limit: number;
    readonly status?: WebhookDeliveryStatus | undefined;
  }): Promise<Page<WebhookDelivery> | undefined>;
  delivery(id: string): Promise<WebhookDelivery | undefined>;
  /** Records an attempt and ends the job, or makes it due again. Undefined `attempt`: no request was sent. False when the lease was lost. */
  record(lease: Lease, attempt: WebhookAttempt | undefined, outcome: WebhookOutcome): Promise<boolean>;
  /** Makes a delivery due immediately, even if it has ended. `at`: Unix seconds. Returns false if it does not exist. */
  redeliver(id: string, at: number): Promise<boolean>;
}
