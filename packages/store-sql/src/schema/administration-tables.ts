import type { RequestLogOutcome, SessionRecord, WebhookDeliveryStatus } from '@modelwire/ports';
import { integer, key, nullable, real, safeText, sequence, text, withDefault } from './columns.ts';

/** Limits of keys and projects. */
const limits = {
  requests_per_minute: nullable(real),
  tokens_per_minute: nullable(real),
  /** JSON of a list of IDs. */
  allowed_models: nullable(safeText),
  max_output_tokens: nullable(integer),
};

/** What counts are kept for. */
const daily = {
  /** Unix seconds of the start of the day, UTC. */
  day: integer,
  project_id: key(),
  key_id: key(),
  /** Empty where the request named no model of the server. */
  model: key(),
};

/** The tables of keys, projects, budgets, webhooks, sessions, counts and the audit log. */
export const administrationTables = {
  keys: {
    columns: {
      seq: sequence,
      id: key('unique'),
      hash: key('unique'),
      /** The secret from before the last rotation, and until when it is valid. */
      previous_hash: nullable(key()),
      previous_valid_until: nullable(integer),
      project_id: key(),
      role: safeText,
      name: text,
      hint: text,
      created_at: integer,
      expires_at: nullable(integer),
      revoked_at: nullable(integer),
      last_used_at: nullable(integer),
      ...limits,
    },
    indexes: {
      keys_of_project: '(project_id, seq)',
      keys_previous: '(previous_hash) where previous_hash is not null',
    },
  },

  projects: {
    columns: {
      id: key('primary key'),
      name: text,
      created_at: integer,
      archived_at: nullable(integer),
      ...limits,
      storage_limit_bytes: nullable(integer),
    },
    isClustered: true,
  },

  budgets: {
    columns: {
      seq: sequence,
      id: key('unique'),
      subject_kind: key(),
      subject_id: key(),
      unit: text,
      period: text,
      soft_limit: nullable(integer),
      hard_limit: nullable(integer),
      created_at: integer,
      /** Unix seconds: the period of `spent` and `override_limit`. In a later period, nothing is spent and nothing overridden. */
      period_start: withDefault(integer, '0'),
      spent: withDefault(integer, '0'),
      override_limit: nullable(integer),
      /** The `period_start` in which it was announced that the limit was reached; 0 for none. */
      soft_announced_period: withDefault(integer, '0'),
      hard_announced_period: withDefault(integer, '0'),
    },
    indexes: { budgets_of_subject: '(subject_kind, subject_id, seq)' },
  },

  /** What running requests have reserved. */
  budget_reservations: {
    columns: {
      budget_id: key(),
      /** Names the request; one row for each of its budgets. */
      reservation_id: key(),
      amount: integer,
      expires_at_ms: integer,
    },
    constraints: ['primary key (budget_id, reservation_id)'],
    indexes: { budget_reservations_by_id: '(reservation_id)', budget_reservations_expiring: '(expires_at_ms)' },
    isClustered: true,
  },

  /** Append-only. */
  audit_log: {
    columns: {
      seq: sequence,
      id: key('unique'),
      created_at: integer,
      type: key(),
      /** A key or a person. */
      actor_id: nullable(key()),
      actor_name: nullable(text),
      project_id: nullable(key()),
      /** ID of the project, key, budget or webhook that changed. */
      resource_id: key(),
      /** JSON. */
      changes: safeText,
    },
    indexes: { audit_log_of_actor: '(actor_id, seq)', audit_log_of_resource: '(resource_id, seq)' },
  },

  usage: {
    columns: {
      ...daily,
      requests: integer,
      input_tokens: integer,
      output_tokens: integer,
      cached_tokens: integer,
      cost_micros: integer,
    },
    constraints: ['primary key (day, project_id, key_id, model)'],
    isClustered: true,
  },

  /** Outcomes of requests. */
  request_stats: {
    columns: {
      ...daily,
      requests: integer,
      errors: integer,
    },
    constraints: ['primary key (day, project_id, key_id, model)'],
    isClustered: true,
  },

  /** Requests by their duration, and by the time to their first token. */
  request_durations: {
    columns: {
      ...daily,
      duration_range: integer,
      requests: integer,
      first_tokens: integer,
    },
    constraints: ['primary key (day, project_id, key_id, model, duration_range)'],
    isClustered: true,
  },

  /** Requests of the last two days by their duration, and by the time to their first token. */
  request_minutes: {
    columns: {
      /** Unix seconds of the start of the minute. */
      minute: integer,
      project_id: key(),
      model: key(),
      duration_range: integer,
      requests: integer,
      errors: integer,
      input_tokens: integer,
      output_tokens: integer,
      cached_tokens: integer,
      cost_micros: integer,
      first_tokens: integer,
    },
    constraints: ['primary key (minute, project_id, model, duration_range)'],
    isClustered: true,
  },

  /** Requests that left no stored completion. */
  request_log: {
    columns: {
      seq: sequence,
      id: key('unique'),
      created_at: integer,
      project_id: key(),
      key_id: key(),
      endpoint: safeText,
      /** Empty where the request named no model of the server. */
      model: key(),
      outcome: key<RequestLogOutcome>(),
      status: integer,
      error: nullable(text),
      is_streamed: integer,
      duration_ms: integer,
      first_token_ms: nullable(integer),
      input_tokens: nullable(integer),
      output_tokens: nullable(integer),
      cached_tokens: nullable(integer),
      cost_micros: nullable(integer),
      currency: nullable(text),
      response_id: nullable(key()),
      batch_id: nullable(key()),
    },
    indexes: {
      request_log_page: '(created_at, seq)',
      request_log_of_project: '(project_id, created_at, seq)',
      request_log_of_key: '(key_id, created_at, seq)',
      request_log_of_outcome: '(outcome, created_at, seq)',
      request_log_of_model: '(model, created_at, seq)',
    },
  },

  /** Sessions of the console, and one-time codes that start one. */
  console_sessions: {
    columns: {
      token_hash: key<string>('primary key'),
      kind: key<SessionRecord['kind']>(),
      /** Of the key whose rights it has. */
      key_hash: nullable(key<string>()),
      /** JSON of the person whose session it is. */
      person: nullable(safeText),
      created_at: integer,
      expires_at: integer,
    },
    indexes: { console_sessions_expiring: '(expires_at)' },
    isClustered: true,
  },

  /** Endpoints that receive events. */
  webhooks: {
    columns: {
      seq: sequence,
      id: key('unique'),
      name: text,
      url: text,
      /** Null: the events of all projects and of the server. */
      project_id: nullable(key()),
      /** Separated and surrounded by spaces; null for all. */
      event_types: nullable(text),
      is_enabled: integer,
      secret: key<string>(),
      previous_secret: nullable(key<string>()),
      /** Unix seconds. */
      previous_valid_until: nullable(integer),
      created_at: integer,
    },
  },

  /** An event for one endpoint. While it is `pending`, a job has its ID. */
  webhook_deliveries: {
    columns: {
      seq: sequence,
      id: key('unique'),
      webhook_id: key(),
      event_id: key(),
      event_type: key(),
      /** The JSON that is sent. */
      payload: safeText,
      status: key<WebhookDeliveryStatus>(),
      /** JSON of the last attempts. */
      attempts: safeText,
      created_at: integer,
      /** For display: the job's `due_at_ms` decides. */
      next_attempt_at: nullable(integer),
    },
    constraints: ['unique (event_id, webhook_id)'],
    indexes: {
      webhook_deliveries_page: '(webhook_id, seq)',
      webhook_deliveries_created: '(created_at)',
      webhook_deliveries_of_status: '(webhook_id, status, seq)',
    },
  },

  /** Webhooks that were deleted and whose deliveries and jobs are still to be removed. */
  deleted_webhooks: {
    columns: { id: key('primary key') },
    isClustered: true,
  },
};
