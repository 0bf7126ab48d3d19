import type { GeneratedAlways } from 'kysely';
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
  readonly fingerprint: StoredText;
  /** Unix milliseconds: when a claim may be taken over, or its answer be forgotten. */
  readonly until: number;
  /** Null while it is worked on. */
  readonly status: number | null;
  readonly content_type: StoredText | null;
  readonly body: StoredText | null;
}

export interface Tables {
  readonly completions: CompletionTable;
  readonly completion_terms: CompletionTermTable;
  readonly keys: KeyTable;
  readonly projects: ProjectTable;
  readonly usage: UsageTable;
  readonly idempotency: IdempotencyTable;
}
