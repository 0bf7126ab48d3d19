import type { VideoVariant } from '@modelwire/schema/types';
import type { EventStreamStatus, JobKind, StoredResponseStatus, StreamWriterRole } from '@modelwire/ports';
import { integer, key, nullable, optionalPartOf, partOf, safeText, sequence, text, withDefault } from './columns.ts';

/** A stream that is open is lost when its lease has expired. */
export type StoredStreamStatus = Exclude<EventStreamStatus, 'lost'>;

export type SegmentRole = 'file' | 'video input' | 'video source' | `video ${VideoVariant}`;

/** Batches are never removed. The ID of a conversation's item includes that of the conversation. */
export type TombstoneList = 'completions' | 'conversation_items' | 'files' | 'videos';

/** The page order is `created_at`, then `seq`, the order of insertion. */
const listed = {
  seq: sequence,
  id: key('unique'),
  project_id: key(),
  created_at: integer,
};

/** The tables of what clients store, and of the work on it. */
export const recordTables = {
  completions: {
    columns: {
      ...listed,
      /** Of body and messages. */
      bytes: integer,
      /** JSON. Separate from the body because only the metadata can change. */
      metadata: safeText,
      /** JSON of the completion, with `metadata: null`. */
      body: safeText,
      /** JSON of the request's messages. After the body, so that reading a page of bodies does not read it. */
      messages: safeText,
    },
    indexes: { completions_created: '(created_at, seq)' },
  },

  /** The search index of completions: one row for the project, one for the model and one for each metadata pair. */
  completion_terms: {
    columns: {
      completion_seq: partOf('completions'),
      term: key<string>(),
      created_at: integer,
    },
    constraints: ['primary key (completion_seq, term)'],
    indexes: { completion_terms_page: '(term, created_at, completion_seq)' },
    isClustered: true,
  },

  /** The rows of a list with summaries. Separate, so that reading them does not read bodies. */
  completion_summaries: {
    columns: {
      completion_seq: partOf('completions', 'primary key'),
      /** JSON of the completion as `summarizeCompletion` returns it, with `metadata: null`. */
      body: safeText,
    },
  },

  /** Claims of idempotency keys by running requests, and the responses of those that have ended. */
  idempotency_keys: {
    columns: {
      /** Of project and key: a client's key may be longer than an index entry. */
      digest: key<string>('primary key'),
      claim_token: nullable(safeText),
      request_fingerprint: text,
      /** When the claim, or the cached response, expires. */
      expires_at_ms: integer,
      /** Null while the request is running. */
      response_status: nullable(integer),
      response_content_type: nullable(text),
      response_body: nullable(text),
      /** ID of the stream that is the response. */
      stream_id: nullable(key()),
    },
    indexes: { idempotency_keys_expiring: '(expires_at_ms)' },
  },

  /** Contents that no record refers to, until their bytes are deleted: reservations for records to come, and what deleted records leave. */
  blob_ledger: {
    columns: {
      blob_key: key<string>('primary key'),
      due_at_ms: integer,
      /** 1 once the key was returned as due: its bytes may be deleted, so no record can refer to them any more. */
      is_deleting: integer,
    },
    indexes: { blob_ledger_due: '(due_at_ms, blob_key)' },
    isClustered: true,
  },

  /** The contents of files and videos, in order. */
  segments: {
    columns: {
      /** Of the file or video. */
      owner_id: key(),
      role: key<SegmentRole>(),
      /** From 0. */
      position: integer,
      blob_key: key<string>(),
      bytes: integer,
      sha256: nullable(key<string>()),
    },
    constraints: ['primary key (owner_id, role, position)'],
    isClustered: true,
  },

  files: {
    columns: {
      ...listed,
      purpose: key(),
      expires_at: nullable(integer),
      media_type: nullable(text),
      /** JSON of the file object. */
      body: safeText,
    },
    indexes: {
      files_page: '(project_id, created_at, seq)',
      files_page_of_purpose: '(project_id, purpose, created_at, seq)',
      files_expiring: '(expires_at) where expires_at is not null',
    },
  },

  uploads: {
    columns: {
      id: key('primary key'),
      project_id: key(),
      status: key<string>(),
      expires_at: integer,
      /** Total size and number of the parts, maintained so that adding one needs no sum. */
      part_bytes: withDefault(integer, '0'),
      part_count: withDefault(integer, '0'),
      /** JSON of the record as it was created. */
      body: safeText,
      /** JSON of the file object that completing it created. */
      file_body: nullable(safeText),
      /** JSON of the part IDs it was completed with. The last column: up to 10,000 IDs. */
      part_ids: nullable(safeText),
    },
    indexes: { uploads_expiring: '(status, expires_at)' },
  },

  /** Parts of pending uploads, and those that completed uploads used. */
  upload_parts: {
    columns: {
      upload_id: key(),
      id: key(),
      blob_key: key<string>(),
      bytes: integer,
      sha256: nullable(key<string>()),
      /** JSON of the part object. */
      body: safeText,
    },
    constraints: ['primary key (upload_id, id)'],
    isClustered: true,
  },

  jobs: {
    columns: {
      seq: sequence,
      id: key(),
      kind: key<JobKind>(),
      /** `ended`: the job stands for results of a batch that are still to be removed. Workers never claim it. */
      status: withDefault(key<'open' | 'ended'>(), "'open'"),
      /** The webhook, for the job of a delivery. */
      project_id: key(),
      /** When the job may be claimed. While it is held: when its lease expires. */
      due_at_ms: integer,
      created_at_ms: integer,
      /** Null while nobody holds the job. */
      lease_token: nullable(key<string>()),
      attempts: withDefault(integer, '0'),
      /** How often a lease expired while held, since `notes` was last written. */
      crashes: withDefault(integer, '0'),
      /** State that the worker needs after a crash. */
      notes: nullable(text),
    },
    constraints: ['unique (id, kind)'],
    indexes: {
      jobs_due: '(due_at_ms, seq, kind, project_id)',
      jobs_due_of_kind: '(kind, due_at_ms, seq, project_id)',
      jobs_due_of_project: '(kind, project_id, due_at_ms, seq)',
      jobs_ended: "(status, seq) where status = 'ended'",
    },
  },

  batches: {
    columns: {
      ...listed,
      version: withDefault(integer, '1'),
      status: text,
      /** Numbers of lines with a result. Separate because they change more often than the body. */
      completed_lines: integer,
      failed_lines: integer,
      /** JSON of what the job needs besides the batch. */
      job_input: safeText,
      /** JSON of what was submitted to upstreams. */
      forwarding: nullable(text),
      /** JSON of the batch. Its own numbers of lines are not used. */
      body: safeText,
    },
    indexes: { batches_page: '(project_id, created_at, seq)' },
  },

  batch_results: {
    columns: {
      batch_id: key(),
      line: integer,
      is_failed: integer,
      /** JSON of the line of the output or error file. */
      result: text,
    },
    constraints: ['primary key (batch_id, line)'],
  },

  videos: {
    columns: {
      ...listed,
      expires_at: nullable(integer),
      version: withDefault(integer, '1'),
      /** JSON of what the job needs besides the video and the contents of its input, which are in `segments`. */
      job_input: safeText,
      /** The last checkpoint of the engine. */
      checkpoint: nullable(text),
      /** JSON of the media type of each variant. */
      media_types: withDefault(safeText, "'{}'"),
      /** JSON of the video. */
      body: safeText,
    },
    indexes: {
      videos_page: '(project_id, created_at, seq)',
      videos_expiring: '(expires_at) where expires_at is not null',
    },
  },

  responses: {
    columns: {
      ...listed,
      /** The ID of the first response of its chain. */
      thread_id: key(),
      /** The response that it continues, which may have been deleted. */
      previous_response_id: nullable(key()),
      status: key<StoredResponseStatus>(),
      /** UTF-16 code units of the bodies of its items. */
      items_length: integer,
      /** Whether it has a stream of events. */
      is_streamed: integer,
      /** Of its body and its items. */
      bytes: integer,
      /** JSON of what the job needs, while the response runs in the background. */
      job_input: nullable(safeText),
      /** JSON of the response without its output. The column `status` is authoritative. */
      body: safeText,
    },
    indexes: { responses_of_thread: '(thread_id)' },
  },

  /** A chain of responses, with all its branches. Its responses expire together. */
  response_threads: {
    columns: {
      id: key('primary key'),
      newest_created_at: integer,
    },
    indexes: { response_threads_expiring: '(newest_created_at)' },
    isClustered: true,
  },

  response_items: {
    columns: {
      response_seq: partOf('responses'),
      /** 0 for an item of the input. */
      is_output: integer,
      position: integer,
      project_id: key(),
      id: key(),
      body: safeText,
    },
    constraints: ['primary key (response_seq, is_output, position)'],
    indexes: { response_items_by_id: '(project_id, id, response_seq)' },
  },

  /** The streams of chat completions and of background responses. */
  event_streams: {
    columns: {
      seq: sequence,
      id: key('unique'),
      project_id: key(),
      /** The background response with the same ID, which writes it. Null for a chat completion. */
      response_seq: optionalPartOf('responses'),
      status: key<StoredStreamStatus>(),
      writer: withDefault(key<StreamWriterRole>(), "'creator'"),
      /**
       * Of the stream of a chat completion: until when its writer holds it, and after that until when an idempotency key that refers to it cannot be
       * claimed. Null for a response, whose job is leased.
       */
      lease_expires_at_ms: nullable(integer),
      /** When it is deleted. Null for a response. */
      expires_at_ms: nullable(integer),
      ended_at_ms: nullable(integer),
      /** When a server that does not write it last had a reader. */
      followed_at_ms: nullable(integer),
      /** JSON of why it failed. */
      failure: nullable(safeText),
      /** JSON of the request that another server can continue it with. */
      request: nullable(safeText),
    },
    indexes: {
      event_streams_of_response: '(response_seq) where response_seq is not null',
      event_streams_expiring: '(expires_at_ms) where expires_at_ms is not null',
    },
  },

  event_segments: {
    columns: {
      stream_seq: partOf('event_streams'),
      /** Position of its last event, from 0. */
      last_event: integer,
      /** The start that its events have in common, and a line with the rest of each. */
      data: safeText,
    },
    constraints: ['primary key (stream_seq, last_event)'],
  },

  conversations: {
    columns: {
      ...listed,
      metadata: safeText,
      next_position: withDefault(integer, '0'),
    },
  },

  conversation_items: {
    columns: {
      conversation_seq: partOf('conversations'),
      position: integer,
      project_id: key(),
      /** Unique within the conversation. */
      id: key(),
      body: safeText,
    },
    constraints: ['primary key (conversation_seq, position)', 'unique (conversation_seq, id)'],
    indexes: { conversation_items_by_id: '(project_id, id, conversation_seq)' },
  },

  /** Cursors of deleted records, so that a list can continue after one. Written by triggers. */
  tombstones: {
    columns: {
      list: key<TombstoneList>(),
      id: key(),
      project_id: key(),
      created_at: integer,
      seq: integer,
      deleted_at: integer,
    },
    constraints: ['primary key (list, id)'],
    indexes: { tombstones_deleted: '(deleted_at)' },
    isClustered: true,
  },
};
