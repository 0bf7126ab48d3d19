import type { Migration } from '@modelwire/store-sql/migrations';

/** Released migrations are never changed; add a new one instead. */
export const migrations: readonly Migration[] = [
  {
    name: 'completions, keys, projects, usage, idempotency',
    sql: `
      create table completions (
        seq integer primary key,
        id text not null unique,
        project text not null,
        created integer not null,
        metadata text not null,
        body text not null,
        messages text not null
      ) strict;
      create index completions_age on completions (created);

      create table completion_terms (
        seq integer not null references completions on delete cascade,
        term text not null,
        created integer not null,
        primary key (seq, term)
      ) strict, without rowid;
      create index completion_terms_page on completion_terms (term, created, seq);

      create table keys (
        seq integer primary key,
        id text not null unique,
        hash text not null unique,
        project text not null,
        role text not null,
        name text not null,
        hint text not null,
        created integer not null,
        expires integer,
        revoked integer,
        requests_per_minute real,
        tokens_per_minute real
      ) strict;
      create index keys_of_project on keys (project, seq);

      create table projects (
        id text not null primary key,
        requests_per_minute real,
        tokens_per_minute real
      ) strict, without rowid;

      create table usage (
        day integer not null,
        project text not null,
        key_id text not null,
        model text not null,
        requests integer not null,
        input_tokens integer not null,
        output_tokens integer not null,
        cached_tokens integer not null,
        primary key (day, project, key_id, model)
      ) strict, without rowid;

      create table idempotency (
        slot text not null primary key,
        fingerprint text not null,
        until integer not null,
        status integer,
        content_type text,
        body text
      ) strict;
      create index idempotency_age on idempotency (until);
    `,
  },
  {
    name: 'files, uploads, batches, videos, jobs, ledger of bytes',
    sql: `
      create table ledger (
        key text not null primary key,
        due integer not null,
        going integer not null
      ) strict, without rowid;
      create index ledger_age on ledger (due, key);

      create table segments (
        owner text not null,
        role text not null,
        place integer not null,
        key text not null,
        bytes integer not null,
        primary key (owner, role, place)
      ) strict, without rowid;

      create table files (
        seq integer primary key,
        id text not null unique,
        project text not null,
        created integer not null,
        purpose text not null,
        expires integer,
        media_type text,
        body text not null
      ) strict;
      create index files_page on files (project, created, seq);
      create index files_page_of_purpose on files (project, purpose, created, seq);
      create index files_age on files (expires) where expires is not null;

      create table uploads (
        id text not null primary key,
        project text not null,
        status text not null,
        expires integer not null,
        sent_bytes integer not null,
        sent_parts integer not null,
        body text not null,
        file text,
        part_ids text
      ) strict;
      create index uploads_age on uploads (status, expires);

      create table parts (
        upload text not null,
        id text not null,
        key text not null,
        bytes integer not null,
        body text not null,
        primary key (upload, id)
      ) strict, without rowid;

      create table jobs (
        seq integer primary key,
        id text not null,
        kind text not null,
        project text not null,
        due integer not null,
        token text,
        attempt integer not null,
        unique (id, kind)
      ) strict;
      create index jobs_due on jobs (due, seq, kind);

      create table batches (
        seq integer primary key,
        id text not null unique,
        project text not null,
        created integer not null,
        version integer not null,
        status text not null,
        completed integer not null,
        failed integer not null,
        work text not null,
        body text not null
      ) strict;
      create index batches_page on batches (project, created, seq);

      create table batch_results (
        batch text not null,
        line integer not null,
        failed integer not null,
        text text not null,
        primary key (batch, line)
      ) strict;

      create table videos (
        seq integer primary key,
        id text not null unique,
        project text not null,
        created integer not null,
        expires integer,
        version integer not null,
        work text not null,
        memory text,
        contents text not null,
        body text not null
      ) strict;
      create index videos_page on videos (project, created, seq);
      create index videos_age on videos (expires) where expires is not null;
    `,
  },
  {
    name: 'places of records that are gone',
    // Any deletion of a record stores its cursor in the same commit, so that a list can resume after it.
    sql: `
      create table departed (
        list text not null,
        id text not null,
        project text not null,
        created integer not null,
        seq integer not null,
        gone integer not null,
        primary key (list, id)
      ) strict, without rowid;
      create index departed_age on departed (gone);

      create trigger completions_departed after delete on completions begin
        insert or replace into departed
        values ('completions', old.id, old.project, old.created, old.seq, unixepoch());
      end;
      create trigger files_departed after delete on files begin
        insert or replace into departed
        values ('files', old.id, old.project, old.created, old.seq, unixepoch());
      end;
      create trigger videos_departed after delete on videos begin
        insert or replace into departed
        values ('videos', old.id, old.project, old.created, old.seq, unixepoch());
      end;
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
      alter table jobs add column crashes integer not null default 0;
      alter table jobs add column notes text;
    `,
  },
  {
    name: 'jobs have a status',
    // Ended jobs are never due (2^53 - 1), so that a running server of an earlier version does not claim them.
    sql: `
      alter table jobs add column status text not null default 'open';
      update jobs set status = 'ended', kind = 'batch', due = 9007199254740991
      where kind = 'batch that is over';
      create index jobs_ended on jobs (status, seq) where status = 'ended';
    `,
  },
  {
    name: 'responses and conversations',
    sql: `
      create table responses (
        seq integer primary key,
        id text not null unique,
        project text not null,
        created integer not null,
        thread text not null,
        previous text,
        status text not null,
        length integer not null,
        streamed integer not null,
        work text,
        body text not null
      ) strict;
      create index responses_of_thread on responses (thread);

      create table response_threads (
        id text not null primary key,
        newest integer not null
      ) strict, without rowid;
      create index response_threads_age on response_threads (newest);

      create table response_items (
        response integer not null references responses on delete cascade,
        output integer not null,
        place integer not null,
        project text not null,
        id text not null,
        body text not null,
        primary key (response, output, place)
      ) strict;
      create index response_items_by_id on response_items (project, id, response);

      create table response_events (
        response integer not null references responses on delete cascade,
        sequence integer not null,
        data text not null,
        primary key (response, sequence)
      ) strict;

      create table conversations (
        seq integer primary key,
        id text not null unique,
        project text not null,
        created integer not null,
        metadata text not null,
        next integer not null
      ) strict;

      create table conversation_items (
        conversation integer not null references conversations on delete cascade,
        place integer not null,
        project text not null,
        id text not null,
        body text not null,
        primary key (conversation, place),
        unique (conversation, id)
      ) strict;
      create index conversation_items_by_id on conversation_items (project, id, conversation);
    `,
  },
  {
    name: 'console sessions',
    sql: `
      create table sessions (
        hash text not null primary key,
        kind text not null,
        key_hash text not null,
        created integer not null,
        expires integer not null
      ) strict, without rowid;
      create index sessions_age on sessions (expires);
    `,
  },
  {
    name: 'request statistics',
    sql: `
      create table request_stats (
        day integer not null,
        project text not null,
        key_id text not null,
        model text not null,
        requests integer not null,
        errors integer not null,
        duration_ms integer not null,
        primary key (day, project, key_id, model)
      ) strict, without rowid;
    `,
  },
  {
    name: 'administration of keys and projects, budgets, audit log',
    sql: `
      alter table keys add column last_used integer;
      alter table keys add column allowed_models text;
      alter table keys add column max_output_tokens integer;
      alter table keys add column previous_hash text;
      alter table keys add column previous_valid_until integer;
      create index keys_previous on keys (previous_hash) where previous_hash is not null;

      alter table projects add column name text not null default '';
      alter table projects add column created integer not null default 0;
      alter table projects add column archived integer;
      alter table projects add column allowed_models text;
      alter table projects add column max_output_tokens integer;
      alter table projects add column storage_limit_bytes integer;
      insert into projects (id)
        select distinct project from keys where project not in (select id from projects);
      update projects set
        name = id,
        created = coalesce((select min(keys.created) from keys where keys.project = projects.id), unixepoch());

      alter table usage add column cost_micros integer not null default 0;
      alter table completions add column bytes integer;
      create index completions_storage on completions (project, bytes);

      create table budgets (
        seq integer primary key,
        id text not null unique,
        subject_kind text not null,
        subject_id text not null,
        unit text not null,
        period text not null,
        soft_limit integer,
        hard_limit integer,
        created integer not null,
        period_start integer not null,
        spent integer not null,
        override_limit integer
      ) strict;
      create index budgets_of_subject on budgets (subject_kind, subject_id, seq);

      create table budget_reservations (
        id text not null,
        budget text not null,
        amount integer not null,
        expires integer not null,
        primary key (budget, id)
      ) strict, without rowid;
      create index budget_reservations_by_id on budget_reservations (id);
      create index budget_reservations_age on budget_reservations (expires);

      create table audit_log (
        seq integer primary key,
        id text not null unique,
        at integer not null,
        type text not null,
        actor text,
        project text,
        resource text not null,
        changes text not null
      ) strict;
      create index audit_log_of_resource on audit_log (resource, seq);
    `,
  },
  {
    name: 'summaries of completions',
    // Completions that are stored already have no row here: lists summarize their bodies.
    sql: `
      create table completion_summaries (
        seq integer primary key references completions on delete cascade,
        body text not null
      ) strict;
    `,
  },
  {
    name: 'webhooks',
    sql: `
      create table webhooks (
        seq integer primary key,
        id text not null unique,
        name text not null,
        url text not null,
        project text,
        events text,
        enabled integer not null,
        secret text not null,
        previous_secret text,
        previous_valid_until integer,
        created integer not null
      ) strict;

      create table webhook_deliveries (
        seq integer primary key,
        id text not null unique,
        webhook text not null,
        event text not null,
        type text not null,
        payload text not null,
        status text not null,
        attempts text not null,
        created integer not null,
        next_attempt integer,
        unique (event, webhook)
      ) strict;
      create index webhook_deliveries_page on webhook_deliveries (webhook, seq);
      create index webhook_deliveries_age on webhook_deliveries (created);

      alter table budgets add column soft_announced integer not null default 0;
      alter table budgets add column hard_announced integer not null default 0;
    `,
  },
  {
    name: 'bytes of responses',
    sql: `
      alter table responses add column bytes integer;
      create index responses_storage on responses (project, bytes);
    `,
  },
];
