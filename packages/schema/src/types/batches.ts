import type { Metadata } from './metadata.ts';
import type { Open } from './open.ts';
import type { List } from './paging.ts';

export type BatchStatus =
  'validating' | 'failed' | 'in_progress' | 'finalizing' | 'completed' | 'expired' | 'cancelling' | 'cancelled';

/** Why a batch or a line of its input failed. */
export interface BatchError {
  code?: string | null;
  line?: number | null;
  message?: string;
  param?: string | null;
}

export type BatchWaitingReason =
  | 'budget'
  | 'model_unavailable'
  | 'upstream_unavailable'
  | 'storage'
  | 'capacity'
  | 'rate_limit'
  | 'server_error'
  | 'quarantine';

/** Why none of the running lines of a batch can run at present. */
export interface BatchWaitingFor {
  reason: Open<BatchWaitingReason>;
  message: string;
  /** Unix seconds. */
  since: number;
  /** Unix seconds at which the wait ends by itself; null if that is not known. */
  until: number | null;
}

export interface BatchUsage {
  input_tokens: number;
  input_tokens_details: { cached_tokens: number };
  output_tokens: number;
  output_tokens_details: { reasoning_tokens: number };
  total_tokens: number;
}

export interface Batch {
  id: string;
  object: 'batch';
  endpoint: string;
  model?: string | null;
  errors?: { object?: string; data?: BatchError[] } | null;
  input_file_id: string;
  completion_window: string;
  status: Open<BatchStatus>;
  output_file_id?: string | null;
  error_file_id?: string | null;
  /** Unix seconds, like the following fields; null until it has happened. */
  created_at: number;
  in_progress_at?: number | null;
  expires_at?: number | null;
  finalizing_at?: number | null;
  completed_at?: number | null;
  failed_at?: number | null;
  expired_at?: number | null;
  cancelling_at?: number | null;
  cancelled_at?: number | null;
  request_counts?: { total: number; completed: number; failed: number };
  usage?: BatchUsage;
  /** Of this server: what the batch waits for. Missing while its lines run, and when it has ended. */
  waiting_for?: BatchWaitingFor | null;
  metadata?: Metadata | null;
}

export type BatchList = List<Batch>;

/** One line of the output or error file of a batch: a response, or an error without a response. */
export interface BatchOutputLine {
  id: string;
  custom_id: string;
  response: { status_code: number; request_id: string; body: Record<string, unknown> } | null;
  error: { code: string; message: string } | null;
}
