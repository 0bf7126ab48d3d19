import type { SchemaDialect } from './schema-dialect.ts';

/** The tables of what clients store, and of the work on it. */
export function recordTables(dialect: SchemaDialect): string {
  const { sequence, integer, keyText, heapTable = '', clusteredTable = '' } = dialect;
  const listed = `
        seq ${sequence},
        id ${keyText} not null unique,
        project_id ${keyText} not null,
        created_at ${integer} not null`;
  return `
      create table completions (${listed},
        bytes ${integer} not null,
        metadata text not null,
        body text not null,
        messages text not null
      ) ${heapTable};
      create index completions_created on completions (created_at);

      create table completion_terms (
        completion_seq ${integer} not null references completions on delete cascade,
        term ${keyText} not null,
        created_at ${integer} not null,
        primary key (completion_seq, term)
      ) ${clusteredTable};
      create index completion_terms_page on completion_terms (term, created_at, completion_seq);

      create table completion_summaries (
        completion_seq ${integer} primary key references completions on delete cascade,
        body text not null
      ) ${heapTable};

      create table idempotency_keys (
        digest ${keyText} not null primary key,
        claim_token text,
        request_fingerprint text not null,
        expires_at_ms ${integer} not null,
        response_status integer,
        response_content_type text,
        response_body text
      ) ${heapTable};
      create index idempotency_keys_expiring on idempotency_keys (expires_at_ms);

      create table blob_ledger (
        blob_key ${keyText} not null primary key,
        due_at_ms ${integer} not null,
        is_deleting ${integer} not null
      ) ${clusteredTable};
      create index blob_ledger_due on blob_ledger (due_at_ms, blob_key);

      create table segments (
        owner_id ${keyText} not null,
        role ${keyText} not null,
        position ${integer} not null,
        blob_key ${keyText} not null,
        bytes ${integer} not null,
        sha256 ${keyText},
        primary key (owner_id, role, position)
      ) ${clusteredTable};

      create table files (${listed},
        purpose ${keyText} not null,
        expires_at ${integer},
        media_type text,
        body text not null
      ) ${heapTable};
      create index files_page on files (project_id, created_at, seq);
      create index files_page_of_purpose on files (project_id, purpose, created_at, seq);
      create index files_expiring on files (expires_at) where expires_at is not null;

      create table uploads (
        id ${keyText} not null primary key,
        project_id ${keyText} not null,
        status ${keyText} not null,
        expires_at ${integer} not null,
        part_bytes ${integer} not null default 0,
        part_count ${integer} not null default 0,
        body text not null,
        file_body text,
        part_ids text
      ) ${heapTable};
      create index uploads_expiring on uploads (status, expires_at);

      create table upload_parts (
        upload_id ${keyText} not null,
        id ${keyText} not null,
        blob_key ${keyText} not null,
        bytes ${integer} not null,
        sha256 ${keyText},
        body text not null,
        primary key (upload_id, id)
      ) ${clusteredTable};

      create table jobs (
        seq ${sequence},
        id ${keyText} not null,
        kind ${keyText} not null,
        status ${keyText} not null default 'open',
        project_id ${keyText} not null,
        due_at_ms ${integer} not null,
        lease_token ${keyText},
        attempts ${integer} not null default 0,
        crashes ${integer} not null default 0,
        notes text,
        unique (id, kind)
      ) ${heapTable};
      create index jobs_due on jobs (due_at_ms, seq, kind, project_id);
      create index jobs_due_of_kind on jobs (kind, due_at_ms, seq, project_id);
      create index jobs_due_of_project on jobs (kind, project_id, due_at_ms, seq);
      create index jobs_ended on jobs (status, seq) where status = 'ended';

      create table batches (${listed},
        version ${integer} not null default 1,
        status text not null,
        completed_lines ${integer} not null,
        failed_lines ${integer} not null,
        job_input text not null,
        body text not null
      ) ${heapTable};
      create index batches_page on batches (project_id, created_at, seq);

      create table batch_results (
        batch_id ${keyText} not null,
        line ${integer} not null,
        is_failed ${integer} not null,
        result text not null,
        primary key (batch_id, line)
      ) ${heapTable};

      create table videos (${listed},
        expires_at ${integer},
        version ${integer} not null default 1,
        job_input text not null,
        checkpoint text,
        media_types text not null default '{}',
        body text not null
      ) ${heapTable};
      create index videos_page on videos (project_id, created_at, seq);
      create index videos_expiring on videos (expires_at) where expires_at is not null;

      create table responses (${listed},
        thread_id ${keyText} not null,
        previous_response_id ${keyText},
        status ${keyText} not null,
        items_length ${integer} not null,
        is_streamed ${integer} not null,
        bytes ${integer} not null,
        job_input text,
        body text not null
      ) ${heapTable};
      create index responses_of_thread on responses (thread_id);

      create table response_threads (
        id ${keyText} not null primary key,
        newest_created_at ${integer} not null
      ) ${clusteredTable};
      create index response_threads_expiring on response_threads (newest_created_at);

      create table response_items (
        response_seq ${integer} not null references responses on delete cascade,
        is_output ${integer} not null,
        position ${integer} not null,
        project_id ${keyText} not null,
        id ${keyText} not null,
        body text not null,
        primary key (response_seq, is_output, position)
      ) ${heapTable};
      create index response_items_by_id on response_items (project_id, id, response_seq);

      create table response_events (
        response_seq ${integer} not null references responses on delete cascade,
        sequence_number ${integer} not null,
        data text not null,
        primary key (response_seq, sequence_number)
      ) ${heapTable};

      create table conversations (${listed},
        metadata text not null,
        next_position ${integer} not null default 0
      ) ${heapTable};

      create table conversation_items (
        conversation_seq ${integer} not null references conversations on delete cascade,
        position ${integer} not null,
        project_id ${keyText} not null,
        id ${keyText} not null,
        body text not null,
        primary key (conversation_seq, position),
        unique (conversation_seq, id)
      ) ${heapTable};
      create index conversation_items_by_id on conversation_items (project_id, id, conversation_seq);

      create table tombstones (
        list ${keyText} not null,
        id ${keyText} not null,
        project_id ${keyText} not null,
        created_at ${integer} not null,
        seq ${integer} not null,
        deleted_at ${integer} not null,
        primary key (list, id)
      ) ${clusteredTable};
      create index tombstones_deleted on tombstones (deleted_at);
    `;
}
