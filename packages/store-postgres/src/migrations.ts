import type { Migration } from '@modelwire/store-sql/migrations';

/** Runs with the schema as search path. Released migrations are never changed; add a new one instead. */
export const migrations: readonly Migration[] = [
  {
    name: 'completions, keys, projects, usage, idempotency, rate limits',
    // collate "C": compares bytes, which is faster and the same on every server.
    sql: `
      create table completions (
        seq bigint generated always as identity primary key,
        id text collate "C" not null unique,
        project text collate "C" not null,
        created bigint not null,
        metadata text not null,
        body text not null,
        messages text not null
      );
      create index completions_age on completions (created);

      create table completion_terms (
        seq bigint not null references completions on delete cascade,
        term text collate "C" not null,
        created bigint not null,
        primary key (seq, term)
      );
      create index completion_terms_page on completion_terms (term, created, seq);

      create table keys (
        seq bigint generated always as identity primary key,
        id text collate "C" not null unique,
        hash text collate "C" not null unique,
        project text collate "C" not null,
        role text not null,
        name text not null,
        hint text not null,
        created bigint not null,
        expires bigint,
        revoked bigint,
        requests_per_minute double precision,
        tokens_per_minute double precision
      );
      create index keys_of_project on keys (project, seq);

      create table projects (
        id text collate "C" primary key,
        requests_per_minute double precision,
        tokens_per_minute double precision
      );

      create table usage (
        day bigint not null,
        project text collate "C" not null,
        key_id text collate "C" not null,
        model text collate "C" not null,
        requests bigint not null,
        input_tokens bigint not null,
        output_tokens bigint not null,
        cached_tokens bigint not null,
        primary key (day, project, key_id, model)
      );

      create table idempotency (
        slot text collate "C" primary key,
        fingerprint text not null,
        until bigint not null,
        status integer,
        content_type text,
        body text
      );
      create index idempotency_age on idempotency (until);

      -- Not logged: a limit need not outlast a crash, and a request must not wait for the disk to be let in.
      create unlogged table rate_limits (
        name text collate "C" primary key,
        capacity double precision not null,
        level double precision not null,
        updated double precision not null
      ) with (fillfactor = 50);
    `,
  },
  {
    name: 'files, uploads, batches, videos, jobs, ledger of bytes',
    sql: `
      create table ledger (
        key text collate "C" not null primary key,
        due bigint not null,
        going bigint not null
      );
      create index ledger_age on ledger (due, key);

      create table segments (
        owner text collate "C" not null,
        role text collate "C" not null,
        place bigint not null,
        key text collate "C" not null,
        bytes bigint not null,
        primary key (owner, role, place)
      );

      create table files (
        seq bigint generated always as identity primary key,
        id text collate "C" not null unique,
        project text collate "C" not null,
        created bigint not null,
        purpose text collate "C" not null,
        expires bigint,
        media_type text,
        body text not null
      );
      create index files_page on files (project, created, seq);
      create index files_page_of_purpose on files (project, purpose, created, seq);
      create index files_age on files (expires) where expires is not null;

      create table uploads (
        id text collate "C" not null primary key,
        project text collate "C" not null,
        status text collate "C" not null,
        expires bigint not null,
        sent_bytes bigint not null,
        sent_parts bigint not null,
        body text not null,
        file text,
        part_ids text
      );
      create index uploads_age on uploads (status, expires);

      create table parts (
        upload text collate "C" not null,
        id text collate "C" not null,
        key text collate "C" not null,
        bytes bigint not null,
        body text not null,
        primary key (upload, id)
      );

      create table jobs (
        seq bigint generated always as identity primary key,
        id text collate "C" not null,
        kind text collate "C" not null,
        project text collate "C" not null,
        due bigint not null,
        token text collate "C",
        attempt bigint not null,
        unique (id, kind)
      );
      create index jobs_due on jobs (due, seq, kind);

      create table batches (
        seq bigint generated always as identity primary key,
        id text collate "C" not null unique,
        project text collate "C" not null,
        created bigint not null,
        version bigint not null,
        status text not null,
        completed bigint not null,
        failed bigint not null,
        work text not null,
        body text not null
      );
      create index batches_page on batches (project, created, seq);

      create table batch_results (
        batch text collate "C" not null,
        line bigint not null,
        failed bigint not null,
        text text not null,
        primary key (batch, line)
      );

      create table videos (
        seq bigint generated always as identity primary key,
        id text collate "C" not null unique,
        project text collate "C" not null,
        created bigint not null,
        expires bigint,
        version bigint not null,
        work text not null,
        memory text,
        contents text not null,
        body text not null
      );
      create index videos_page on videos (project, created, seq);
      create index videos_age on videos (expires) where expires is not null;
    `,
  },
  {
    name: 'places of records that are gone',
    // Any deletion of a record stores its cursor in the same commit, so that a list can resume after it.
    sql: `
      create table departed (
        list text collate "C" not null,
        id text collate "C" not null,
        project text collate "C" not null,
        created bigint not null,
        seq bigint not null,
        gone bigint not null,
        primary key (list, id)
      );
      create index departed_age on departed (gone);

      -- Sessions have no search path to this schema.
      create function remember_departed() returns trigger language plpgsql set search_path from current as $$
        begin
          insert into departed
          select tg_table_name, id, project, created, seq, extract(epoch from now())::bigint from removed
          on conflict (list, id) do update
          set project = excluded.project, created = excluded.created, seq = excluded.seq, gone = excluded.gone;
          return null;
        end
      $$;
      create trigger completions_departed after delete on completions
        referencing old table as removed for each statement execute function remember_departed();
      create trigger files_departed after delete on files
        referencing old table as removed for each statement execute function remember_departed();
      create trigger videos_departed after delete on videos
        referencing old table as removed for each statement execute function remember_departed();
    `,
  },
  {
    name: 'jobs are passed over by project, in the index',
    sql: `
      drop index jobs_due;
      create index jobs_due on jobs (due, seq, kind, project);
    `,
  },
  {
    name: 'claims of idempotency keys are held on to',
    sql: 'alter table idempotency add column token text',
  },
  {
    name: 'jobs whose workers crash',
    sql: `
      alter table jobs add column crashes bigint not null default 0;
      alter table jobs add column notes text;
    `,
  },
  {
    name: 'jobs have a status',
    // Ended jobs are never due (2^53 - 1), so that a running server of an earlier version does not claim them.
    sql: `
      alter table jobs add column status text collate "C" not null default 'open';
      update jobs set status = 'ended', kind = 'batch', due = 9007199254740991
      where kind = 'batch that is over';
      create index jobs_ended on jobs (status, seq) where status = 'ended';
    `,
  },
  {
    name: 'records can be removed while the disk is full',
    // On a full disk the cursor of a removed record is not stored: a list cannot resume after it.
    sql: `
      create or replace function remember_departed() returns trigger language plpgsql set search_path from current as $$
        begin
          insert into departed
          select tg_table_name, id, project, created, seq, extract(epoch from now())::bigint from removed
          on conflict (list, id) do update
          set project = excluded.project, created = excluded.created, seq = excluded.seq, gone = excluded.gone;
          return null;
        exception when disk_full then
          return null;
        end
      $$;
    `,
  },
  {
    name: 'responses and conversations',
    sql: `
      create table responses (
        seq bigint generated always as identity primary key,
        id text collate "C" not null unique,
        project text collate "C" not null,
        created bigint not null,
        thread text collate "C" not null,
        previous text collate "C",
        status text collate "C" not null,
        length bigint not null,
        streamed bigint not null,
        work text,
        body text not null
      );
      create index responses_of_thread on responses (thread);

      create table response_threads (
        id text collate "C" not null primary key,
        newest bigint not null
      );
      create index response_threads_age on response_threads (newest);

      create table response_items (
        response bigint not null references responses on delete cascade,
        output bigint not null,
        place bigint not null,
        project text collate "C" not null,
        id text collate "C" not null,
        body text not null,
        primary key (response, output, place)
      );
      create index response_items_by_id on response_items (project, id, response);

      create table response_events (
        response bigint not null references responses on delete cascade,
        sequence bigint not null,
        data text not null,
        primary key (response, sequence)
      );

      create table conversations (
        seq bigint generated always as identity primary key,
        id text collate "C" not null unique,
        project text collate "C" not null,
        created bigint not null,
        metadata text not null,
        next bigint not null
      );

      create table conversation_items (
        conversation bigint not null references conversations on delete cascade,
        place bigint not null,
        project text collate "C" not null,
        id text collate "C" not null,
        body text not null,
        primary key (conversation, place),
        unique (conversation, id)
      );
      create index conversation_items_by_id on conversation_items (project, id, conversation);
    `,
  },
  {
    name: 'console sessions',
    sql: `
      create table sessions (
        hash text collate "C" not null primary key,
        kind text collate "C" not null,
        key_hash text collate "C" not null,
        created bigint not null,
        expires bigint not null
      );
      create index sessions_age on sessions (expires);
    `,
  },
  {
    name: 'request statistics',
    sql: `
      create table request_stats (
        day bigint not null,
        project text collate "C" not null,
        key_id text collate "C" not null,
        model text collate "C" not null,
        requests bigint not null,
        errors bigint not null,
        duration_ms bigint not null,
        primary key (day, project, key_id, model)
      );
    `,
  },
  {
    name: 'administration of keys and projects, budgets, audit log',
    sql: `
      alter table keys add column last_used bigint;
      alter table keys add column allowed_models text;
      alter table keys add column max_output_tokens bigint;
      alter table keys add column previous_hash text collate "C";
      alter table keys add column previous_valid_until bigint;
      create index keys_previous on keys (previous_hash) where previous_hash is not null;

      alter table projects add column name text not null default '';
      alter table projects add column created bigint not null default 0;
      alter table projects add column archived bigint;
      alter table projects add column allowed_models text;
      alter table projects add column max_output_tokens bigint;
      alter table projects add column storage_limit_bytes bigint;
      insert into projects (id)
        select distinct project from keys where project not in (select id from projects);
      update projects set
        name = id,
        created = coalesce((select min(keys.created) from keys where keys.project = projects.id), extract(epoch from now())::bigint);

      alter table usage add column cost_micros bigint not null default 0;
      alter table completions add column bytes bigint;
      create index completions_storage on completions (project, bytes);

      create table budgets (
        seq bigint generated always as identity primary key,
        id text collate "C" not null unique,
        subject_kind text collate "C" not null,
        subject_id text collate "C" not null,
        unit text not null,
        period text not null,
        soft_limit bigint,
        hard_limit bigint,
        created bigint not null,
        period_start bigint not null,
        spent bigint not null,
        override_limit bigint
      );
      create index budgets_of_subject on budgets (subject_kind, subject_id, seq);

      create table budget_reservations (
        id text collate "C" not null,
        budget text collate "C" not null,
        amount bigint not null,
        expires bigint not null,
        primary key (budget, id)
      );
      create index budget_reservations_by_id on budget_reservations (id);
      create index budget_reservations_age on budget_reservations (expires);

      create table audit_log (
        seq bigint generated always as identity primary key,
        id text collate "C" not null unique,
        at bigint not null,
        type text collate "C" not null,
        actor text collate "C",
        project text collate "C",
        resource text collate "C" not null,
        changes text not null
      );
      create index audit_log_of_resource on audit_log (resource, seq);
    `,
  },
  {
    name: 'summaries of completions',
    // Completions that are stored already have no row here: lists summarize their bodies.
    sql: `
      create table completion_summaries (
        seq bigint primary key references completions on delete cascade,
        body text not null
      );
    `,
  },
  {
    name: 'webhooks',
    sql: `
      create table webhooks (
        seq bigint generated always as identity primary key,
        id text collate "C" not null unique,
        name text not null,
        url text not null,
        project text collate "C",
        events text,
        enabled bigint not null,
        secret text collate "C" not null,
        previous_secret text collate "C",
        previous_valid_until bigint,
        created bigint not null
      );

      create table webhook_deliveries (
        seq bigint generated always as identity primary key,
        id text collate "C" not null unique,
        webhook text collate "C" not null,
        event text collate "C" not null,
        type text collate "C" not null,
        payload text not null,
        status text collate "C" not null,
        attempts text not null,
        created bigint not null,
        next_attempt bigint,
        unique (event, webhook)
      );
      create index webhook_deliveries_page on webhook_deliveries (webhook, seq);
      create index webhook_deliveries_age on webhook_deliveries (created);

      alter table budgets add column soft_announced bigint not null default 0;
      alter table budgets add column hard_announced bigint not null default 0;
    `,
  },
  {
    name: 'bytes of responses',
    sql: `
      alter table responses add column bytes bigint;
    `,
  },
  {
    // A step of its own: the column's lock blocks reading, an index that is built only writing.
    name: 'index of the bytes of responses',
    sql: `
      create index responses_storage on responses (project, bytes);
    `,
  },
];
