import type { AuditStore } from './audit-store.ts';
import type { BatchStore } from './batch-store.ts';
import type { BlobLedger } from './blob-ledger.ts';
import type { BudgetStore } from './budget-store.ts';
import type { CompletionReader, CompletionStore } from './completion-store.ts';
import type { ConversationStore } from './conversation-store.ts';
import type { EventStreamStore } from './event-stream-store.ts';
import type { FileStore } from './file-store.ts';
import type { IdempotencyStore } from './idempotency-store.ts';
import type { JobStore } from './job-store.ts';
import type { KeyStore } from './key-store.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { RequestLogStore } from './request-log-store.ts';
import type { RequestStatsStore } from './request-stats-store.ts';
import type { ResponseStore } from './response-store.ts';
import type { SessionStore } from './session-store.ts';
import type { UploadStore } from './upload-store.ts';
import type { UsageStore } from './usage-store.ts';
import type { VideoStore } from './video-store.ts';
import type { WebhookStore } from './webhook-store.ts';

/** The stores of one project. Handlers can access records only through this object, so that they cannot mix up projects. */
export interface ProjectStores {
  readonly completions: CompletionStore;
  readonly responses: ResponseStore;
  readonly conversations: ConversationStore;
  readonly eventStreams: EventStreamStore;
  readonly idempotency: IdempotencyStore;
  readonly files: FileStore;
  readonly uploads: UploadStore;
  readonly batches: BatchStore;
  readonly videos: VideoStore;
}

/**
 * The persistent storage of a server. Errors report a full storage (`NoSpace`) and an unavailable one (`StorageUnavailable`). The test
 * suite `@modelwire/ports/suites/stores` specifies the behavior.
 */
export interface Stores {
  project(id: string): ProjectStores;
  /** The completions of all projects, for administrators; each has its `project_id`. Default: they can be read by project only. */
  readonly allCompletions?: CompletionReader | undefined;
  /** Whether lists of completions support `search`. Default: no. */
  readonly canSearch?: boolean | undefined;
  readonly keys: KeyStore;
  readonly budgets: BudgetStore;
  readonly audit: AuditStore;
  readonly webhooks: WebhookStore;
  readonly usage: UsageStore;
  /** Outcomes and durations of requests. Default: they are not recorded. */
  readonly requestStats?: RequestStatsStore | undefined;
  /** The log of requests that left no stored completion. Default: there is none. */
  readonly requestLog?: RequestLogStore | undefined;
  /** Sessions of the console. Default: the server keeps them in memory, and they end with its process. */
  readonly sessions?: SessionStore | undefined;
  readonly jobs: JobStore;
  readonly ledger: BlobLedger;
  /** Rate limits that are shared by all replicas, for stores that several servers share. Omitted if limits in memory are as good. */
  readonly rateLimiter?: RateLimiter | undefined;
  /**
   * Removes completions created before `completionsBefore` (Unix seconds), chains of responses whose last response was created before
   * `responsesBefore` (Unix seconds), logged requests received before `requestsBefore` (Unix seconds), files and videos that expired by `now`
   * (Unix milliseconds), deliveries of webhooks that have ended and are older than 30 days, console sessions that expired by `now`, and idempotency keys and streams of events that expired by the clock of the
   * store. Pending uploads that expired by then become `expired`; uploads that have ended are removed with their parts thirty days after their `expires_at`.
   * Deliveries of deleted webhooks and other unreferenced records are removed as well. At most `limit` of each, the oldest first. The bytes of
   * removed records become due ten minutes later, so that running reads can finish. Resolves to the number of these records. A failed
   * removal does not prevent the others: the promise rejects after all were tried.
   */
  removeExpired(init: {
    readonly completionsBefore: number | undefined;
    /** Default: responses do not expire. */
    readonly responsesBefore?: number | undefined;
    /** Default: logged requests do not expire. */
    readonly requestsBefore?: number | undefined;
    readonly now: number;
    readonly limit: number;
  }): Promise<number>;
  /** Resolves if the store is writable. */
  check(): Promise<void>;
  /** Whether the store has failed so often that the process should be restarted. Default: never. */
  hasFailed?(): boolean;
  close(): Promise<void>;
}
