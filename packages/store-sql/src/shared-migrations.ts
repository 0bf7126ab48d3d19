import type { Migration } from './pending-migrations.ts';

/** How one kind of SQL database writes what the migrations of the tables need. */
export interface MigrationDialect {
  /** Type of a primary key that the database assigns in the order of insertion. */
  readonly sequence: string;
  /** Type of an integer of 64 bits. */
  readonly integer: string;
  /** Type of a floating-point number of 64 bits. */
  readonly real: string;
  /** Type of IDs and other text that is compared, byte by byte. */
  readonly keyText: string;
  /** Follows the columns of a table with a key that the database assigns. */
  readonly heapTable?: string;
  /** Follows the columns of a table that is best stored in the order of its primary key. */
  readonly clusteredTable?: string;
  /** The time in Unix seconds. */
  readonly now: string;
  /**
   * Triggers that copy the `id`, `project`, `created` and `seq` of each row deleted from `completions`, `files` and `videos` to `tombstones`, with the
   * name of the table as `list` and the time as `deleted`, replacing a row with the same `list` and `id`. So a list can resume after a deleted
   * record.
   */
  readonly tombstoneTriggers: string;
  /** Whether adding a column locks out readers, so that the index of a new column is built in a migration of its own. */
  readonly buildsIndexesSeparately?: boolean;
}

/**
 * The migrations that all stores share, oldest first, in the SQL of a dialect. Released migrations are never changed: add a new one at the end
 * instead. A store may insert migrations of its own, at positions that stay the same.
 */
export function sharedMigrations(dialect: MigrationDialect): readonly Migration[] {
  const { sequence, integer, real, keyText, heapTable = '', clusteredTable = '', now, tombstoneTriggers } = dialect;
  const withIndex = (columns: Migration, index: Migration): readonly Migration[] =>
    dialect.buildsIndexesSeparately === true ? [columns, index] : [{ ...columns, sql: `${columns.sql}\n${index.sql}` }];
  return [
    {
      name: 'completions, keys, projects, usage, idempotency',
      sql: `
      create table completions (
        seq ${sequence},
        id ${keyText} not null unique,
        project ${keyText} not null,
        created ${integer} not null,
        metadata text not null,
        body text not null,
        messages text not null
      ) ${heapTable};
      create index completions_age on completions (created);

      create table completion_terms (
        seq ${integer} not null references completions on delete cascade,
        term ${keyText} not null,
        created ${integer} not null,
        primary key (seq, term)
      ) ${clusteredTable};
      create index completion_terms_page on completion_terms (term, created, seq);

      create table keys (
        seq ${sequence},
        id ${keyText} not null unique,
        hash ${keyText} not null unique,
        project ${keyText} not null,
        role text not null,
        name text not null,
        hint text not null,
        created ${integer} not null,
        expires ${integer},
        revoked ${integer},
        requests_per_minute ${real},
        tokens_per_minute ${real}
      ) ${heapTable};
      create index keys_of_project on keys (project, seq);

      create table projects (
        id ${keyText} not null primary key,
        requests_per_minute ${real},
        tokens_per_minute ${real}
      ) ${clusteredTable};

      create table usage (
        day ${integer} not null,
        project ${keyText} not null,
        key_id ${keyText} not null,
        model ${keyText} not null,
        requests ${integer} not null,
        input_tokens ${integer} not null,
        output_tokens ${integer} not null,
        cached_tokens ${integer} not null,
        primary key (day, project, key_id, model)
      ) ${clusteredTable};

      create table idempotency (
        slot ${keyText} not null primary key,
        fingerprint text not null,
        until ${integer} not null,
        status integer,
        content_type text,
        body text
      ) ${heapTable};
      create index idempotency_age on idempotency (until);
    `,
    },
    {
      name: 'files, uploads, batches, videos, jobs, ledger of bytes',
      sql: `
      create table ledger (
        key ${keyText} not null primary key,
        due ${integer} not null,
        going ${integer} not null
      ) ${clusteredTable};
      create index ledger_age on ledger (due, key);

      create table segments (
        owner ${keyText} not null,
        role ${keyText} not null,
        place ${integer} not null,
        key ${keyText} not null,
        bytes ${integer} not null,
        primary key (owner, role, place)
      ) ${clusteredTable};

      create table files (
        seq ${sequence},
        id ${keyText} not null unique,
        project ${keyText} not null,
        created ${integer} not null,
        purpose ${keyText} not null,
        expires ${integer},
        media_type text,
        body text not null
      ) ${heapTable};
      create index files_page on files (project, created, seq);
      create index files_page_of_purpose on files (project, purpose, created, seq);
      create index files_age on files (expires) where expires is not null;

      create table uploads (
        id ${keyText} not null primary key,
        project ${keyText} not null,
        status ${keyText} not null,
        expires ${integer} not null,
        sent_bytes ${integer} not null,
        sent_parts ${integer} not null,
        body text not null,
        file text,
        part_ids text
      ) ${heapTable};
      create index uploads_age on uploads (status, expires);

      create table parts (
        upload ${keyText} not null,
        id ${keyText} not null,
        key ${keyText} not null,
        bytes ${integer} not null,
        body text not null,
        primary key (upload, id)
      ) ${clusteredTable};

      create table jobs (
        seq ${sequence},
        id ${keyText} not null,
        kind ${keyText} not null,
        project ${keyText} not null,
        due ${integer} not null,
        token ${keyText},
        attempt ${integer} not null,
        unique (id, kind)
      ) ${heapTable};
      create index jobs_due on jobs (due, seq, kind);

      create table batches (
        seq ${sequence},
        id ${keyText} not null unique,
        project ${keyText} not null,
        created ${integer} not null,
        version ${integer} not null,
        status text not null,
        completed ${integer} not null,
        failed ${integer} not null,
        work text not null,
        body text not null
      ) ${heapTable};
      create index batches_page on batches (project, created, seq);

      create table batch_results (
        batch ${keyText} not null,
        line ${integer} not null,
        failed ${integer} not null,
        text text not null,
        primary key (batch, line)
      ) ${heapTable};

      create table videos (
        seq ${sequence},
        id ${keyText} not null unique,
        project ${keyText} not null,
        created ${integer} not null,
        expires ${integer},
        version ${integer} not null,
        work text not null,
        memory text,
        contents text not null,
        body text not null
      ) ${heapTable};
      create index videos_page on videos (project, created, seq);
      create index videos_age on videos (expires) where expires is not null;
    `,
    },
    {
      name: 'tombstones of deleted records',
      // Any deletion of a record stores its cursor in the same commit, so that a list can resume after it.
      sql: `
      create table tombstones (
        list ${keyText} not null,
        id ${keyText} not null,
        project ${keyText} not null,
        created ${integer} not null,
        seq ${integer} not null,
        deleted ${integer} not null,
        primary key (list, id)
      ) ${clusteredTable};
      create index tombstones_age on tombstones (deleted);

      ${tombstoneTriggers}
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
      alter table jobs add column crashes ${integer} not null default 0;
      alter table jobs add column notes text;
    `,
    },
    {
      name: 'jobs have a status',
      // Ended jobs are never due (2^53 - 1), so that a running server of an earlier version does not claim them.
      sql: `
      alter table jobs add column status ${keyText} not null default 'open';
      update jobs set status = 'ended', kind = 'batch', due = 9007199254740991
      where kind = 'batch that is over';
      create index jobs_ended on jobs (status, seq) where status = 'ended';
    `,
    },
    {
      name: 'responses and conversations',
      sql: `
      create table responses (
        seq ${sequence},
        id ${keyText} not null unique,
        project ${keyText} not null,
        created ${integer} not null,
        thread ${keyText} not null,
        previous ${keyText},
        status ${keyText} not null,
        length ${integer} not null,
        streamed ${integer} not null,
        work text,
        body text not null
      ) ${heapTable};
      create index responses_of_thread on responses (thread);

      create table response_threads (
        id ${keyText} not null primary key,
        newest ${integer} not null
      ) ${clusteredTable};
      create index response_threads_age on response_threads (newest);

      create table response_items (
        response ${integer} not null references responses on delete cascade,
        output ${integer} not null,
        place ${integer} not null,
        project ${keyText} not null,
        id ${keyText} not null,
        body text not null,
        primary key (response, output, place)
      ) ${heapTable};
      create index response_items_by_id on response_items (project, id, response);

      create table response_events (
        response ${integer} not null references responses on delete cascade,
        sequence ${integer} not null,
        data text not null,
        primary key (response, sequence)
      ) ${heapTable};

      create table conversations (
        seq ${sequence},
        id ${keyText} not null unique,
        project ${keyText} not null,
        created ${integer} not null,
        metadata text not null,
        next ${integer} not null
      ) ${heapTable};

      create table conversation_items (
        conversation ${integer} not null references conversations on delete cascade,
        place ${integer} not null,
        project ${keyText} not null,
        id ${keyText} not null,
        body text not null,
        primary key (conversation, place),
        unique (conversation, id)
      ) ${heapTable};
      create index conversation_items_by_id on conversation_items (project, id, conversation);
    `,
    },
    {
      name: 'console sessions',
      sql: `
      create table sessions (
        hash ${keyText} not null primary key,
        kind ${keyText} not null,
        key_hash ${keyText} not null,
        created ${integer} not null,
        expires ${integer} not null
      ) ${clusteredTable};
      create index sessions_age on sessions (expires);
    `,
    },
    {
      name: 'request statistics',
      sql: `
      create table request_stats (
        day ${integer} not null,
        project ${keyText} not null,
        key_id ${keyText} not null,
        model ${keyText} not null,
        requests ${integer} not null,
        errors ${integer} not null,
        duration_ms ${integer} not null,
        primary key (day, project, key_id, model)
      ) ${clusteredTable};
    `,
    },
    {
      name: 'administration of keys and projects, budgets, audit log',
      sql: `
      alter table keys add column last_used ${integer};
      alter table keys add column allowed_models text;
      alter table keys add column max_output_tokens ${integer};
      alter table keys add column previous_hash ${keyText};
      alter table keys add column previous_valid_until ${integer};
      create index keys_previous on keys (previous_hash) where previous_hash is not null;

      alter table projects add column name text not null default '';
      alter table projects add column created ${integer} not null default 0;
      alter table projects add column archived ${integer};
      alter table projects add column allowed_models text;
      alter table projects add column max_output_tokens ${integer};
      alter table projects add column storage_limit_bytes ${integer};
      insert into projects (id)
        select distinct project from keys where project not in (select id from projects);
      update projects set
        name = id,
        created = coalesce((select min(keys.created) from keys where keys.project = projects.id), ${now});

      alter table usage add column cost_micros ${integer} not null default 0;
      alter table completions add column bytes ${integer};
      create index completions_storage on completions (project, bytes);

      create table budgets (
        seq ${sequence},
        id ${keyText} not null unique,
        subject_kind ${keyText} not null,
        subject_id ${keyText} not null,
        unit text not null,
        period text not null,
        soft_limit ${integer},
        hard_limit ${integer},
        created ${integer} not null,
        period_start ${integer} not null,
        spent ${integer} not null,
        override_limit ${integer}
      ) ${heapTable};
      create index budgets_of_subject on budgets (subject_kind, subject_id, seq);

      create table budget_reservations (
        id ${keyText} not null,
        budget ${keyText} not null,
        amount ${integer} not null,
        expires ${integer} not null,
        primary key (budget, id)
      ) ${clusteredTable};
      create index budget_reservations_by_id on budget_reservations (id);
      create index budget_reservations_age on budget_reservations (expires);

      create table audit_log (
        seq ${sequence},
        id ${keyText} not null unique,
        at ${integer} not null,
        type ${keyText} not null,
        actor ${keyText},
        project ${keyText},
        resource ${keyText} not null,
        changes text not null
      ) ${heapTable};
      create index audit_log_of_resource on audit_log (resource, seq);
    `,
    },
    {
      name: 'summaries of completions',
      // Completions that are stored already have no row here: lists summarize their bodies.
      sql: `
      create table completion_summaries (
        seq ${integer} primary key references completions on delete cascade,
        body text not null
      ) ${heapTable};
    `,
    },
    {
      name: 'webhooks',
      sql: `
      create table webhooks (
        seq ${sequence},
        id ${keyText} not null unique,
        name text not null,
        url text not null,
        project ${keyText},
        events text,
        enabled ${integer} not null,
        secret ${keyText} not null,
        previous_secret ${keyText},
        previous_valid_until ${integer},
        created ${integer} not null
      ) ${heapTable};

      create table webhook_deliveries (
        seq ${sequence},
        id ${keyText} not null unique,
        webhook ${keyText} not null,
        event ${keyText} not null,
        type ${keyText} not null,
        payload text not null,
        status ${keyText} not null,
        attempts text not null,
        created ${integer} not null,
        next_attempt ${integer},
        unique (event, webhook)
      ) ${heapTable};
      create index webhook_deliveries_page on webhook_deliveries (webhook, seq);
      create index webhook_deliveries_age on webhook_deliveries (created);

      alter table budgets add column soft_announced ${integer} not null default 0;
      alter table budgets add column hard_announced ${integer} not null default 0;
    `,
    },
    ...withIndex(
      { name: 'bytes of responses', sql: `alter table responses add column bytes ${integer};` },
      { name: 'index of the bytes of responses', sql: 'create index responses_storage on responses (project, bytes);' },
    ),
    {
      name: 'deleted webhooks',
      sql: `create table deleted_webhooks (id ${keyText} not null primary key) ${clusteredTable};`,
    },
    // Each index is built by a migration of its own, so that only one table waits for it.
    {
      name: 'index of due jobs by kind',
      sql: 'create index jobs_due_of_kind on jobs (kind, due, seq, project);',
    },
    {
      name: 'index of deliveries by status',
      sql: 'create index webhook_deliveries_of_status on webhook_deliveries (webhook, status, seq);',
    },
    {
      name: 'index of completions without their bytes',
      sql: 'create index completions_unmeasured on completions (seq) where bytes is null;',
    },
    {
      name: 'index of responses without their bytes',
      sql: 'create index responses_unmeasured on responses (seq) where bytes is null;',
    },
    {
      name: 'index of due jobs by project',
      sql: 'create index jobs_due_of_project on jobs (kind, project, due, seq);',
    },
    {
      name: 'digests of contents',
      sql: `
      alter table segments add column sha256 ${keyText};
      alter table parts add column sha256 ${keyText};
    `,
    },
  ];
}
