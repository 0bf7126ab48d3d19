import type { GeneratedAlways } from 'kysely';
import type { VideoVariant } from '@modelwire/schema/types';
import type { JobKind } from '@modelwire/ports';
import type { StoredText } from './text.ts';

/** In the order of appending: `seq`. The page order is `created`, then `seq`. */
export interface CompletionTable {
  readonly seq: GeneratedAlways<number>;
  readonly id: StoredText;
  readonly project: StoredText;
  readonly created: number;
  /** JSON. Apart from the body, because it alone can change. */
  readonly metadata: string;
  /** JSON of the completion, its metadata left null. */
  readonly body: string;
  /** JSON of the request's messages. The last column: reading a page of bodies must not walk over it. */
  readonly messages: string;
}

/** What each completion is found by: a row for its project, one for its model and one for each pair of metadata. */
export interface CompletionTermTable {
  readonly seq: number;
  readonly term: string;
  readonly created: number;
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
  readonly requests_per_minute: number | null;
  readonly tokens_per_minute: number | null;
}

export interface ProjectTable {
  readonly id: StoredText;
  readonly requests_per_minute: number | null;
  readonly tokens_per_minute: number | null;
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
}

export interface IdempotencyTable {
  /** Digest of project and key: a caller's key may be longer than an index takes. */
  readonly slot: string;
  /** Of who claimed it. */
  readonly token: string | null;
  readonly fingerprint: StoredText;
  /** Unix milliseconds: when a claim may be taken over, or its answer be forgotten. */
  readonly until: number;
  /** Null while it is worked on. */
  readonly status: number | null;
  readonly content_type: StoredText | null;
  readonly body: StoredText | null;
}

/** Bytes that nobody may need, until `due` (Unix milliseconds). */
export interface LedgerTable {
  readonly key: string;
  readonly due: number;
  /** 1 when the key was given as due: its bytes may be gone, no record can have them any more. */
  readonly going: number;
}

/** Where the bytes of files and videos are. */
export interface SegmentTable {
  /** Id of the file or video. */
  readonly owner: StoredText;
  readonly role: SegmentRole;
  /** From 0. */
  readonly place: number;
  readonly key: string;
  readonly bytes: number;
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
  /** Bytes and number of its parts: so that adding one need not add up all. */
  readonly sent_bytes: number;
  readonly sent_parts: number;
  /** JSON of the record as it was created. */
  readonly body: string;
  /** JSON of the file object it became. */
  readonly file: string | null;
  /** JSON of the ids it was completed with. The last column: up to 10,000. */
  readonly part_ids: string | null;
}

/** Parts of uploads that are pending, and those that completed ones became a file of. */
export interface PartTable {
  readonly upload: StoredText;
  readonly id: StoredText;
  readonly key: string;
  readonly bytes: number;
  /** JSON of the part object. */
  readonly body: string;
}

export interface JobTable {
  readonly seq: GeneratedAlways<number>;
  readonly id: StoredText;
  /** Nobody takes what is over: it stands for results that are still to be removed. */
  readonly kind: JobKind | 'batch that is over';
  readonly project: StoredText;
  /** Unix milliseconds by the database's clock: when it may be claimed. While it is held, when its lease expires. */
  readonly due: number;
  /** Of who holds it. */
  readonly token: string | null;
  readonly attempt: number;
  /** How often its lease expired while it was held, since its notes were written. */
  readonly crashes: number;
  /** What its worker needs to know after a crash. */
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
  /** How many lines have a result: they change more often than the body. */
  readonly completed: number;
  readonly failed: number;
  /** JSON of what only the servers see. */
  readonly work: string;
  /** JSON of the batch, whose counts of `completed` and `failed` do not count. */
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
  /** JSON of what only the servers see; where the bytes of its input are is in `segments`. */
  readonly work: string;
  readonly memory: StoredText | null;
  /** JSON of the media type of each variant. */
  readonly contents: string;
  /** JSON of the video. */
  readonly body: string;
}

/** Where records of a list stood that are gone: triggers write it, whatever removes them. */
export interface DepartedTable {
  readonly list: DepartedList;
  readonly id: StoredText;
  readonly project: StoredText;
  readonly created: number;
  readonly seq: number;
  /** Unix seconds: since when. */
  readonly gone: number;
}

/** Batches are never removed. */
export type DepartedList = 'completions' | 'files' | 'videos';

export interface Tables {
  readonly completions: CompletionTable;
  readonly completion_terms: CompletionTermTable;
  readonly keys: KeyTable;
  readonly projects: ProjectTable;
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
  readonly departed: DepartedTable;
}
