import type { Migration } from '@modelwire/store-sql/migrations';

/** A migration that was released is never changed: the next one is added. */
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
];
