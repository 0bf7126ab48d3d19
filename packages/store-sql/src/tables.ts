import type { Generated, GeneratedAlways } from 'kysely';
import type { VideoVariant } from '@modelwire/schema/types';
import type { JobKind, StoredResponseStatus, WebhookDeliveryStatus } from '@modelwire/ports';
import type { StoredText } from './text.ts';

/** `seq` is the insertion order. The page order is `created`, then `seq`. */
export interface CompletionTable {
  readonly seq: GeneratedAlways<number>;
  readonly id: StoredText;
  readonly project: StoredText;
  readonly created: number;
  /** JSON. Separate from the body because only the metadata can change. */
  readonly metadata: string;
  /** JSON of the completion, with `metadata: null`. */
  readonly body: string;
  /** JSON of the request's messages. After the body, so that reading a page of bodies does not read it. */
  readonly messages: string;
  /** Of body and messages; null where a server of an earlier version stored it. */
  readonly bytes: number | null;
}

/** The search index of completions: one row for the project, one for the model and one for each metadata pair. */
export interface CompletionTermTable {
  readonly seq: number;
  readonly term: string;
  readonly created: number;
}

/** The rows of a list with summaries. Separate, so that reading them does not read bodies. */
export interface CompletionSummaryTable {
  readonly seq: number;
  /** JSON of the completion as `summarizeCompletion` returns it, with `metadata: null`. */
  readonly body: string;
}

export interface KeyTable {
  readonly seq: GeneratedAlways<number>;
  readonly id: StoredText;
  readonly hash: StoredText;
  readonly project: StoredText;
  readonly role: string;
  readonly name: StoredText;
  readonly hint: StoredText;
  readonly created: number;
  readonly expires: number | null;
  readonly revoked: number | null;
  readonly last_used: number | null;
  readonly requests_per_minute: number | null;
  readonly tokens_per_minute: number | null;
  /** JSON of a list of IDs. */
  readonly allowed_models: string | null;
  readonly max_output_tokens: number | null;
  /** The secret from before the last rotation. */
  readonly previous_hash: StoredText | null;
  /** Unix seconds. */
  readonly previous_valid_until: number | null;
}

export interface ProjectTable {
  readonly id: StoredText;
  readonly name: StoredText;
  readonly created: number;
  readonly archived: number | null;
  readonly requests_per_minute: number | null;
  readonly tokens_per_minute: number | null;
  /** JSON of a list of IDs. */
  readonly allowed_models: string | null;
  readonly max_output_tokens: number | null;
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
  readonly created: number;
  /** Unix seconds: the period of `spent` and `override_limit`. In a later period, nothing is spent and nothing overridden. */
  readonly period_start: number;
  readonly spent: number;
  readonly override_limit: number | null;
  /** The `period_start` in which it was announced that the limit was reached; 0 for none. */
  readonly soft_announced: Generated<number>;
  readonly hard_announced: Generated<number>;
}

/** What running requests have reserved. */
export interface BudgetReservationTable {
  /** Names the request; one row for each of its budgets. */
  readonly id: StoredText;
  readonly budget: StoredText;
  readonly amount: number;
  /** Unix milliseconds by the clock of the database. */
  readonly expires: number;
}

/** Endpoints that receive events. */
export interface WebhookTable {
  readonly seq: GeneratedAlways<number>;
  readonly id: StoredText;
  readonly name: StoredText;
  readonly url: StoredText;
  /** Null: the events of all projects and of the server. */
  readonly project: StoredText | null;
  /** Types of events, separated and surrounded by spaces; null for all. */
  readonly events: StoredText | null;
  /** 0 or 1. */
  readonly enabled: number;
  readonly secret: string;
  readonly previous_secret: string | null;
  /** Unix seconds. */
  readonly previous_valid_until: number | null;
  /** Unix seconds. */
  readonly created: number;
}

/** An event for one endpoint. While it is `pending`, a job has its ID. */
export interface WebhookDeliveryTable {
  readonly seq: GeneratedAlways<number>;
  readonly id: StoredText;
  readonly webhook: StoredText;
  readonly event: StoredText;
  readonly type: StoredText;
  /** The JSON that is sent. */
  readonly payload: string;
  readonly status: WebhookDeliveryStatus;
  /** JSON of the last attempts. */
  readonly attempts: string;
  /** Unix seconds. */
  readonly created: number;
  /** Unix seconds, for display: the job's `due` decides. */
  readonly next_attempt: number | null;
}

/** Webhooks that were deleted and whose deliveries and jobs are still to be removed. */
export interface DeletedWebhookTable {
  readonly id: StoredText;
}

/** Append-only. */
export interface AuditTable {
  readonly seq: GeneratedAlways<number>;
  readonly id: StoredText;
  readonly at: number;
  readonly type: StoredText;
  readonly actor: StoredText | null;
  readonly project: StoredText | null;
  readonly resource: StoredText;
  /** JSON. */
  readonly changes: string;
}

/** Outcomes and durations of requests. */
export interface RequestStatsTable {
  readonly day: number;
  readonly project: StoredText;
  readonly key_id: StoredText;
  /** Empty where the request named no model of the server. */
  readonly model: StoredText;
  readonly requests: number;
  readonly errors: number;
  readonly duration_ms: number;
}

export interface SessionTable {
  readonly hash: string;
  readonly kind: 'session' | 'code';
  readonly key_hash: string;
  readonly created: number;
  /** Unix seconds. */
  readonly expires: number;
}

export interface UsageTable {
  readonly day: number;
  readonly project: StoredText;
  readonly key_id: StoredText;
  readonly model: StoredText;
  readonly requests: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cached_tokens: number;
  readonly cost_micros: number;
}

export interface IdempotencyTable {
  /** Digest of project and key: a client's key may be longer than an index entry. */
  readonly slot: string;
  /** Identifies the claim. */
  readonly token: string | null;
  readonly fingerprint: StoredText;
  /** Unix milliseconds: when the claim, or the cached response, expires. */
  readonly until: number;
  /** Null while the request is running. */
  readonly status: number | null;
  readonly content_type: StoredText | null;
  readonly body: StoredText | null;
}

/** Reservations of bytes that no record refers to. They expire at `due` (Unix milliseconds). */
export interface LedgerTable {
  readonly key: string;
  readonly due: number;
  /** 1 once the key was returned as due: its bytes may be deleted, so no record can refer to them any more. */
  readonly going: number;
}

/** Maps files and videos to the keys of their bytes. */
export interface SegmentTable {
  /** ID of the file or video. */
  readonly owner: StoredText;
  readonly role: SegmentRole;
  /** From 0. */
  readonly place: number;
  readonly key: string;
  readonly bytes: number;
  readonly sha256: string | null;
}

export type SegmentRole = 'file' | 'video input' | `video ${VideoVariant}`;

/** The page order is `created`, then `seq`. */
export interface FileTable {
  readonly seq: GeneratedAlways<number>;
  readonly id: StoredText;
  readonly project: StoredText;
  readonly created: number;
  readonly purpose: StoredText;
  /** Unix seconds. */
  readonly expires: number | null;
  readonly media_type: StoredText | null;
  /** JSON of the file object. */
  readonly body: string;
}

export interface UploadTable {
  readonly id: StoredText;
  readonly project: StoredText;
  readonly status: string;
  /** Unix seconds. */
  readonly expires: number;
  /** Total size and number of the parts, maintained so that adding one needs no sum. */
  readonly sent_bytes: number;
  readonly sent_parts: number;
  /** JSON of the record as it was created. */
  readonly body: string;
  /** JSON of the file object that completing it created. */
  readonly file: string | null;
  /** JSON of the part IDs it was completed with. The last column: up to 10,000 IDs. */
  readonly part_ids: string | null;
}

/** Parts of pending uploads, and those that completed uploads used. */
export interface PartTable {
  readonly upload: StoredText;
  readonly id: StoredText;
  readonly key: string;
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
  readonly status: 'open' | 'ended';
  readonly project: StoredText;
  /** Unix milliseconds by the database's clock: when the job may be claimed. While it is held: when its lease expires. */
  readonly due: number;
  /** Identifies the lease; null while nobody holds the job. */
  readonly token: string | null;
  readonly attempt: number;
  /** How often a lease expired while held, since `notes` was last written. */
  readonly crashes: number;
  /** State that the worker needs after a crash. */
  readonly notes: StoredText | null;
}

/** The page order is `created`, then `seq`. */
export interface BatchTable {
  readonly seq: GeneratedAlways<number>;
  readonly id: StoredText;
  readonly project: StoredText;
  readonly created: number;
  readonly version: number;
  readonly status: StoredText;
  /** Numbers of lines with a result. Separate because they change more often than the body. */
  readonly completed: number;
  readonly failed: number;
  /** JSON of server-side state. */
  readonly work: string;
  /** JSON of the batch. Its own `completed` and `failed` are not used. */
  readonly body: string;
}

export interface BatchResultTable {
  readonly batch: StoredText;
  readonly line: number;
  /** 0 or 1. */
  readonly failed: number;
  readonly text: StoredText;
}

/** The page order is `created`, then `seq`. */
export interface VideoTable {
  readonly seq: GeneratedAlways<number>;
  readonly id: StoredText;
  readonly project: StoredText;
  readonly created: number;
  /** Unix seconds. */
  readonly expires: number | null;
  readonly version: number;
  /** JSON of server-side state. The keys of the input's bytes are in `segments`. */
  readonly work: string;
  readonly memory: StoredText | null;
  /** JSON of the media type of each variant. */
  readonly contents: string;
  /** JSON of the video. */
  readonly body: string;
}

export interface ResponseTable {
  readonly seq: GeneratedAlways<number>;
  readonly id: StoredText;
  readonly project: StoredText;
  readonly created: number;
  /** The ID of the first response of its chain. */
  readonly thread: StoredText;
  /** The ID of the response that it continues, which may have been deleted. */
  readonly previous: StoredText | null;
  readonly status: StoredResponseStatus;
  /** UTF-16 code units of the bodies of its items. */
  readonly length: number;
  /** 0 or 1: whether its events are stored. */
  readonly streamed: number;
  /** JSON of server-side state, while it runs in the background. */
  readonly work: string | null;
  /** JSON of the response without its output. The column `status` is authoritative. */
  readonly body: string;
  /** Of its body and its items; null where a server of an earlier version stored it. */
  readonly bytes: number | null;
}

/** A chain of responses, with all its branches. Its responses expire together. */
export interface ResponseThreadTable {
  readonly id: StoredText;
  /** Unix seconds: when its newest response was created. */
  readonly newest: number;
}

export interface ResponseItemTable {
  readonly response: number;
  /** 0 for an item of the input, 1 for one of the output. */
  readonly output: number;
  readonly place: number;
  readonly project: StoredText;
  readonly id: StoredText;
  readonly body: string;
}

export interface ResponseEventTable {
  readonly response: number;
  readonly sequence: number;
  readonly data: string;
}

export interface ConversationTable {
  readonly seq: GeneratedAlways<number>;
  readonly id: StoredText;
  readonly project: StoredText;
  readonly created: number;
  readonly metadata: string;
  /** The place of the next item. */
  readonly next: number;
}

export interface ConversationItemTable {
  readonly conversation: number;
  readonly place: number;
  readonly project: StoredText;
  /** Unique within the conversation. */
  readonly id: StoredText;
  readonly body: string;
}

/** Cursors of deleted records, so that a list can continue after one. Written by triggers. */
export interface TombstoneTable {
  readonly list: TombstoneList;
  readonly id: StoredText;
  readonly project: StoredText;
  readonly created: number;
  readonly seq: number;
  /** Unix seconds: when the record was deleted. */
  readonly deleted: number;
}

/** Batches are never removed. The ID of a conversation's item includes that of the conversation. */
export type TombstoneList = 'completions' | 'conversation_items' | 'files' | 'videos';

/** The sum of the rows of a project is what it stores. Triggers count completions, responses and files as they are stored, changed and deleted. */
export interface StorageCounterTable {
  readonly project: StoredText;
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
  readonly idempotency: IdempotencyTable;
  readonly ledger: LedgerTable;
  readonly segments: SegmentTable;
  readonly files: FileTable;
  readonly uploads: UploadTable;
  readonly parts: PartTable;
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
  readonly request_stats: RequestStatsTable;
  readonly sessions: SessionTable;
  readonly modelwire_storage_counters: StorageCounterTable;
}
