import type { SchemaDialect } from './schema-dialect.ts';

/** The tables of keys, projects, budgets, webhooks, sessions, counts and the audit log. */
export function administrationTables(dialect: SchemaDialect): string {
  const { sequence, integer, real, keyText, heapTable = '', clusteredTable = '' } = dialect;
  const dailyKey = `
        day ${integer} not null,
        project_id ${keyText} not null,
        key_id ${keyText} not null,
        model ${keyText} not null`;
  return `
      create table keys (
        seq ${sequence},
        id ${keyText} not null unique,
        hash ${keyText} not null unique,
        previous_hash ${keyText},
        previous_valid_until ${integer},
        project_id ${keyText} not null,
        role text not null,
        name text not null,
        hint text not null,
        created_at ${integer} not null,
        expires_at ${integer},
        revoked_at ${integer},
        last_used_at ${integer},
        requests_per_minute ${real},
        tokens_per_minute ${real},
        allowed_models text,
        max_output_tokens ${integer}
      ) ${heapTable};
      create index keys_of_project on keys (project_id, seq);
      create index keys_previous on keys (previous_hash) where previous_hash is not null;

      create table projects (
        id ${keyText} not null primary key,
        name text not null,
        created_at ${integer} not null,
        archived_at ${integer},
        requests_per_minute ${real},
        tokens_per_minute ${real},
        allowed_models text,
        max_output_tokens ${integer},
        storage_limit_bytes ${integer}
      ) ${clusteredTable};

      create table budgets (
        seq ${sequence},
        id ${keyText} not null unique,
        subject_kind ${keyText} not null,
        subject_id ${keyText} not null,
        unit text not null,
        period text not null,
        soft_limit ${integer},
        hard_limit ${integer},
        created_at ${integer} not null,
        period_start ${integer} not null default 0,
        spent ${integer} not null default 0,
        override_limit ${integer},
        soft_announced_period ${integer} not null default 0,
        hard_announced_period ${integer} not null default 0
      ) ${heapTable};
      create index budgets_of_subject on budgets (subject_kind, subject_id, seq);

      create table budget_reservations (
        budget_id ${keyText} not null,
        reservation_id ${keyText} not null,
        amount ${integer} not null,
        expires_at_ms ${integer} not null,
        primary key (budget_id, reservation_id)
      ) ${clusteredTable};
      create index budget_reservations_by_id on budget_reservations (reservation_id);
      create index budget_reservations_expiring on budget_reservations (expires_at_ms);

      create table audit_log (
        seq ${sequence},
        id ${keyText} not null unique,
        created_at ${integer} not null,
        type ${keyText} not null,
        actor_key_id ${keyText},
        project_id ${keyText},
        resource_id ${keyText} not null,
        changes text not null
      ) ${heapTable};
      create index audit_log_of_resource on audit_log (resource_id, seq);

      create table usage (${dailyKey},
        requests ${integer} not null,
        input_tokens ${integer} not null,
        output_tokens ${integer} not null,
        cached_tokens ${integer} not null,
        cost_micros ${integer} not null,
        primary key (day, project_id, key_id, model)
      ) ${clusteredTable};

      create table request_stats (${dailyKey},
        requests ${integer} not null,
        errors ${integer} not null,
        duration_ms ${integer} not null,
        primary key (day, project_id, key_id, model)
      ) ${clusteredTable};

      create table console_sessions (
        token_hash ${keyText} not null primary key,
        kind ${keyText} not null,
        key_hash ${keyText} not null,
        created_at ${integer} not null,
        expires_at ${integer} not null
      ) ${clusteredTable};
      create index console_sessions_expiring on console_sessions (expires_at);

      create table webhooks (
        seq ${sequence},
        id ${keyText} not null unique,
        name text not null,
        url text not null,
        project_id ${keyText},
        event_types text,
        is_enabled ${integer} not null,
        secret ${keyText} not null,
        previous_secret ${keyText},
        previous_valid_until ${integer},
        created_at ${integer} not null
      ) ${heapTable};

      create table webhook_deliveries (
        seq ${sequence},
        id ${keyText} not null unique,
        webhook_id ${keyText} not null,
        event_id ${keyText} not null,
        event_type ${keyText} not null,
        payload text not null,
        status ${keyText} not null,
        attempts text not null,
        created_at ${integer} not null,
        next_attempt_at ${integer},
        unique (event_id, webhook_id)
      ) ${heapTable};
      create index webhook_deliveries_page on webhook_deliveries (webhook_id, seq);
      create index webhook_deliveries_created on webhook_deliveries (created_at);
      create index webhook_deliveries_of_status on webhook_deliveries (webhook_id, status, seq);

      create table deleted_webhooks (id ${keyText} not null primary key) ${clusteredTable};
    `;
}
