import type { Generated, GeneratedAlways } from 'kysely';
import type { VideoVariant } from '@modelwire/schema/types';
import type { JobKind, SessionRecord, StoredResponseStatus, WebhookDeliveryStatus } from '@modelwire/ports';
import type { StoredText } from '../query/text.ts';

// Times with a name in `_at` are in Unix seconds, those in `_at_ms` in milliseconds by the clock of the database. Columns in `_id` contain an ID,
// those in `_seq` the `seq` of a row. Columns `is_…` are 0 or 1. A column without a description contains the field of the record of that name.

/** The page order is `created_at`, then `seq`, the order of insertion. */
interface ListedTable {
  readonly seq: GeneratedAlways<number>;
  readonly id: StoredText;
  readonly project_id: StoredText;
  readonly created_at: number;
}

export interface CompletionTable extends ListedTable {
  /** Of body and messages. */
  readonly bytes: number;
  /** JSON. Separate from the body because only the metadata can change. */
  readonly metadata: string;
  /** JSON of the completion, with `metadata: null`. */
  readonly body: string;
  /** JSON of the request's messages. After the body, so that reading a page of bodies does not read it. */
  readonly messages: string;
}

/** The search index of completions: one row for the project, one for the model and one for each metadata pair. */
export interface CompletionTermTable {
  readonly completion_seq: number;
  readonly term: string;
  readonly created_at: number;
}

/** The rows of a list with summaries. Separate, so that reading them does not read bodies. */
export interface CompletionSummaryTable {
  readonly completion_seq: number;
  /** JSON of the completion as `summarizeCompletion` returns it, with `metadata: null`. */
  readonly body: string;
}

/** Limits of keys and projects. */
export interface LimitColumns {
  readonly requests_per_minute: number | null;
  readonly tokens_per_minute: number | null;
  /** JSON of a list of IDs. */
  readonly allowed_models: string | null;
  readonly max_output_tokens: number | null;
}

export interface KeyTable extends LimitColumns {
  readonly seq: GeneratedAlways<number>;
  readonly id: StoredText;
  readonly hash: StoredText;
  /** The secret from before the last rotation, and until when it is valid. */
  readonly previous_hash: StoredText | null;
  readonly previous_valid_until: number | null;
  readonly project_id: StoredText;
  readonly role: string;
  readonly name: StoredText;
  readonly hint: StoredText;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
  readonly last_used_at: number | null;
}

export interface ProjectTable extends LimitColumns {
  readonly id: StoredText;
  readonly name: StoredText;
  readonly created_at: number;
  readonly archived_at: number | null;
  readonly storage_limit_bytes: number | null;
}

export interface BudgetTable {
  readonly seq: GeneratedAlways<number>;
  readonly id: StoredText;
  readonly subject_kind: StoredText;
  readonly subject_id: StoredText;
  readonly unit: StoredText;
  readonly period: StoredText;
  readonly soft_limit: number | null;
  readonly hard_limit: number | null;
  readonly created_at: number;
  /** Unix seconds: the period of `spent` and `override_limit`. In a later period, nothing is spent and nothing overridden. */
  readonly period_start: Generated<number>;
  readonly spent: Generated<number>;
  readonly override_limit: number | null;
  /** The `period_start` in which it was announced that the limit was reached; 0 for none. */
  readonly soft_announced_period: Generated<number>;
  readonly hard_announced_period: Generated<number>;
}

/** What running requests have reserved. */
export interface BudgetReservationTable {
  readonly budget_id: StoredText;
  /** Names the request; one row for each of its budgets. */
  readonly reservation_id: StoredText;
  readonly amount: number;
  readonly expires_at_ms: number;
}

/** Endpoints that receive events. */
export interface WebhookTable {
  readonly seq: GeneratedAlways<number>;
  readonly id: StoredText;
  readonly name: StoredText;
  readonly url: StoredText;
  /** Null: the events of all projects and of the server. */
  readonly project_id: StoredText | null;
  /** Separated and surrounded by spaces; null for all. */
  readonly event_types: StoredText | null;
  readonly is_enabled: number;
  readonly secret: string;
  readonly previous_secret: string | null;
  /** Unix seconds. */
  readonly previous_valid_until: number | null;
  readonly created_at: number;
}

/** An event for one endpoint. While it is `pending`, a job has its ID. */
export interface WebhookDeliveryTable {
  readonly seq: GeneratedAlways<number>;
  readonly id: StoredText;
  readonly webhook_id: StoredText;
  readonly event_id: StoredText;
  readonly event_type: StoredText;
  /** The JSON that is sent. */
  readonly payload: string;
  readonly status: WebhookDeliveryStatus;
  /** JSON of the last attempts. */
  readonly attempts: string;
  readonly created_at: number;
  /** For display: the job's `due_at_ms` decides. */
  readonly next_attempt_at: number | null;
}

/** Webhooks that were deleted and whose deliveries and jobs are still to be removed. */
export interface DeletedWebhookTable {
  readonly id: StoredText;
}

/** Append-only. */
export interface AuditTable {
  readonly seq: GeneratedAlways<number>;
  readonly id: StoredText;
  readonly created_at: number;
  readonly type: StoredText;
  readonly actor_key_id: StoredText | null;
  readonly project_id: StoredText | null;
  /** ID of the project, key, budget or webhook that changed. */
  readonly resource_id: StoredText;
  /** JSON. */
  readonly changes: string;
}

/** What counts are kept for. */
export interface DailyColumns {
  /** Unix seconds of the start of the day, UTC. */
  readonly day: number;
  readonly project_id: StoredText;
  readonly key_id: StoredText;
  /** Empty where the request named no model of the server. */
  readonly model: StoredText;
}

/** Outcomes and durations of requests. */
export interface RequestStatsTable extends DailyColumns {
  readonly requests: number;
  readonly errors: number;
  readonly duration_ms: number;
}

export interface UsageTable extends DailyColumns {
  readonly requests: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cached_tokens: number;
  readonly cost_micros: number;
}

/** Sessions of the console, and one-time codes that start one. */
export interface ConsoleSessionTable {
  readonly token_hash: string;
  readonly kind: SessionRecord['kind'];
  /** Of the key whose rights it has. */
  readonly key_hash: string;
  readonly created_at: number;
  readonly expires_at: number;
}

/** Claims of idempotency keys by running requests, and the responses of those that have ended. */
export interface IdempotencyKeyTable {
  /** Of project and key: a client's key may be longer than an index entry. */
  readonly digest: string;
  readonly claim_token: string | null;
  readonly request_fingerprint: StoredText;
  /** When the claim, or the cached response, expires. */
  readonly expires_at_ms: number;
  /** Null while the request is running. */
  readonly response_status: number | null;
  readonly response_content_type: StoredText | null;
  readonly response_body: StoredText | null;
}

/** Contents that no record refers to, until their bytes are deleted: reservations for records to come, and what deleted records leave. */
export interface BlobLedgerTable {
  readonly blob_key: string;
  readonly due_at_ms: number;
  /** 1 once the key was returned as due: its bytes may be deleted, so no record can refer to them any more. */
  readonly is_deleting: number;
}

/** The contents of files and videos, in order. */
export interface SegmentTable {
  /** Of the file or video. */
  readonly owner_id: StoredText;
  readonly role: SegmentRole;
  /** From 0. */
  readonly position: number;
  readonly blob_key: string;
  readonly bytes: number;
  readonly sha256: string | null;
}

export type SegmentRole = 'file' | 'video input' | `video ${VideoVariant}`;

export interface FileTable extends ListedTable {
  readonly purpose: StoredText;
  readonly expires_at: number | null;
  readonly media_type: StoredText | null;
  /** JSON of the file object. */
  readonly body: string;
}

export interface UploadTable {
  readonly id: StoredText;
  readonly project_id: StoredText;
  readonly status: string;
  readonly expires_at: number;
  /** Total size and number of the parts, maintained so that adding one needs no sum. */
  readonly part_bytes: Generated<number>;
  readonly part_count: Generated<number>;
  /** JSON of the record as it was created. */
  readonly body: string;
  /** JSON of the file object that completing it created. */
  readonly file_body: string | null;
  /** JSON of the part IDs it was completed with. The last column: up to 10,000 IDs. */
  readonly part_ids: string | null;
}

/** Parts of pending uploads, and those that completed uploads used. */
export interface UploadPartTable {
  readonly upload_id: StoredText;
  readonly id: StoredText;
  readonly blob_key: string;
  readonly bytes: number;
  readonly sha256: string | null;
  /** JSON of the part object. */
  readonly body: string;
}

export interface JobTable {
  readonly seq: GeneratedAlways<number>;
  readonly id: StoredText;
  readonly kind: JobKind;
  /** `ended`: the job stands for results of a batch that are still to be removed. Workers never claim it. */
  readonly status: Generated<'open' | 'ended'>;
  /** The webhook, for the job of a delivery. */
  readonly project_id: StoredText;
  /** When the job may be claimed. While it is held: when its lease expires. */
  readonly due_at_ms: number;
  /** Null while nobody holds the job. */
  readonly lease_token: string | null;
  readonly attempts: Generated<number>;
  /** How often a lease expired while held, since `notes` was last written. */
  readonly crashes: Generated<number>;
  /** State that the worker needs after a crash. */
  readonly notes: StoredText | null;
}

export interface BatchTable extends ListedTable {
  readonly version: Generated<number>;
  readonly status: StoredText;
  /** Numbers of lines with a result. Separate because they change more often than the body. */
  readonly completed_lines: number;
  readonly failed_lines: number;
  /** JSON of what the job needs besides the batch. */
  readonly job_input: string;
  /** JSON of the batch. Its own numbers of lines are not used. */
  readonly body: string;
}

export interface BatchResultTable {
  readonly batch_id: StoredText;
  readonly line: number;
  readonly is_failed: number;
  /** JSON of the line of the output or error file. */
  readonly result: StoredText;
}

export interface VideoTable extends ListedTable {
  readonly expires_at: number | null;
  readonly version: Generated<number>;
  /** JSON of what the job needs besides the video and the contents of its input, which are in `segments`. */
  readonly job_input: string;
  /** The last checkpoint of the engine. */
  readonly checkpoint: StoredText | null;
  /** JSON of the media type of each variant. */
  readonly media_types: Generated<string>;
  /** JSON of the video. */
  readonly body: string;
}

export interface ResponseTable extends ListedTable {
  /** The ID of the first response of its chain. */
  readonly thread_id: StoredText;
  /** The response that it continues, which may have been deleted. */
  readonly previous_response_id: StoredText | null;
  readonly status: StoredResponseStatus;
  /** UTF-16 code units of the bodies of its items. */
  readonly items_length: number;
  /** Whether its events are stored. */
  readonly is_streamed: number;
  /** Of its body and its items. */
  readonly bytes: number;
  /** JSON of what the job needs, while the response runs in the background. */
  readonly job_input: string | null;
  /** JSON of the response without its output. The column `status` is authoritative. */
  readonly body: string;
}

/** A chain of responses, with all its branches. Its responses expire together. */
export interface ResponseThreadTable {
  readonly id: StoredText;
  readonly newest_created_at: number;
}

export interface ResponseItemTable {
  readonly response_seq: number;
  /** 0 for an item of the input. */
  readonly is_output: number;
  readonly position: number;
  readonly project_id: StoredText;
  readonly id: StoredText;
  readonly body: string;
}

export interface ResponseEventTable {
  readonly response_seq: number;
  readonly sequence_number: number;
  readonly data: string;
}

export interface ConversationTable extends ListedTable {
  readonly metadata: string;
  readonly next_position: Generated<number>;
}

export interface ConversationItemTable {
  readonly conversation_seq: number;
  readonly position: number;
  readonly project_id: StoredText;
  /** Unique within the conversation. */
  readonly id: StoredText;
  readonly body: string;
}

/** Cursors of deleted records, so that a list can continue after one. Written by triggers. */
export interface TombstoneTable {
  readonly list: TombstoneList;
  readonly id: StoredText;
  readonly project_id: StoredText;
  readonly created_at: number;
  readonly seq: number;
  readonly deleted_at: number;
}

/** Batches are never removed. The ID of a conversation's item includes that of the conversation. */
export type TombstoneList = 'completions' | 'conversation_items' | 'files' | 'videos';

/** The sum of the rows of a project is what it stores. Triggers count completions, responses and files as they are stored, changed and deleted. */
export interface StorageCounterTable {
  readonly project_id: StoredText;
  readonly bytes: number;
}

export interface Tables {
  readonly completions: CompletionTable;
  readonly completion_terms: CompletionTermTable;
  readonly completion_summaries: CompletionSummaryTable;
  readonly keys: KeyTable;
  readonly projects: ProjectTable;
  readonly budgets: BudgetTable;
  readonly budget_reservations: BudgetReservationTable;
  readonly audit_log: AuditTable;
  readonly webhooks: WebhookTable;
  readonly webhook_deliveries: WebhookDeliveryTable;
  readonly deleted_webhooks: DeletedWebhookTable;
  readonly usage: UsageTable;
  readonly request_stats: RequestStatsTable;
  readonly console_sessions: ConsoleSessionTable;
  readonly idempotency_keys: IdempotencyKeyTable;
  readonly blob_ledger: BlobLedgerTable;
  readonly segments: SegmentTable;
  readonly files: FileTable;
  readonly uploads: UploadTable;
  readonly upload_parts: UploadPartTable;
  readonly jobs: JobTable;
  readonly batches: BatchTable;
  readonly batch_results: BatchResultTable;
  readonly videos: VideoTable;
  readonly responses: ResponseTable;
  readonly response_threads: ResponseThreadTable;
  readonly response_items: ResponseItemTable;
  readonly response_events: ResponseEventTable;
  readonly conversations: ConversationTable;
  readonly conversation_items: ConversationItemTable;
  readonly tombstones: TombstoneTable;
  readonly modelwire_storage_counters: StorageCounterTable;
}
