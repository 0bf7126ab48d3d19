import type { Migration } from '@modelwire/store-sql/migrations';

/** Run with the schema as search path. A migration that was released is never changed: the next one is added. */
export const migrations: readonly Migration[] = [
  {
    name: 'completions, keys, projects, usage, idempotency, rate limits',
    // collate "C": compared by bytes, which is faster, and the same on every server.
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
];
