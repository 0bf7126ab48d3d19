import type { Batch } from '@modelwire/client';
import type { Tone } from '../../components/tag.tsx';

export interface BatchProgress {
  readonly done: number;
  readonly total: number;
  /** Requests per second since the batch was started; `undefined` while it is unknown. */
  readonly rate: number | undefined;
  readonly remainingMs: number | undefined;
}

/** The progress of a batch at a given time. */
export function progressOf(batch: Batch, nowMs: number): BatchProgress {
  const { total = 0, completed = 0, failed = 0 } = batch.request_counts ?? {};
  const done = completed + failed;
  if (!batch.in_progress_at) return { done, total, rate: undefined, remainingMs: undefined };
  const endSeconds = batch.completed_at ?? batch.cancelled_at ?? batch.expired_at ?? nowMs / 1000;
  const seconds = Math.max(1, endSeconds - batch.in_progress_at);
  const rate = done > 0 ? done / seconds : undefined;
  const isRunning = batch.status === 'in_progress';
  return {
    done,
    total,
    rate,
    remainingMs: isRunning && rate !== undefined ? ((total - done) / rate) * 1000 : undefined,
  };
}

/** The color of a status. A completed batch with failed requests is not shown as a success. */
export function statusTone({ status, request_counts: counts, waiting_for: waiting }: Batch): Tone {
  if (isHeld(waiting)) return 'warning';
  if (status === 'failed' || status === 'expired') return 'bad';
  if (status === 'cancelled' || status === 'cancelling') return 'warning';
  if (status !== 'completed') return 'neutral';
  const failed = counts?.failed ?? 0;
  if (failed === 0) return 'good';
  return failed === counts?.total ? 'bad' : 'warning';
}

/** Whether a batch waits for something else than the batches that it has started. */
export function isHeld(waiting: Batch['waiting_for']): waiting is NonNullable<Batch['waiting_for']> {
  return waiting !== null && waiting !== undefined && waiting.reason !== 'batches';
}

const waitingTexts: Readonly<Record<string, string>> = {
  budget: 'waiting for a budget',
  model_unavailable: 'waiting for its model',
  upstream_unavailable: 'waiting for an upstream',
  storage: 'waiting for storage',
  capacity: 'waiting for capacity',
  rate_limit: 'waiting for a rate limit',
  server_error: 'waiting after a server error',
  quarantine: 'waiting in quarantine',
};

/** What a batch waits for, such as `waiting for capacity`. */
export function waitingText({ reason }: NonNullable<Batch['waiting_for']>): string {
  return waitingTexts[reason] ?? 'waiting';
}

/** The status as text, such as `completed, 3 of 10 failed` or `waiting for capacity`. */
export function statusText({ status, request_counts: counts, waiting_for: waiting }: Batch): string {
  const failed = counts?.failed ?? 0;
  const words = isHeld(waiting) ? waitingText(waiting) : status.replaceAll('_', ' ');
  return failed > 0 ? `${words}, ${failed} of ${counts?.total ?? failed} failed` : words;
}
