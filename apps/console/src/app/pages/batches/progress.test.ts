import type { Batch } from '@modelwire/client';
import { expect, it } from 'vitest';
import { progressOf, statusText, statusTone } from './progress.ts';

function batch(changes: Partial<Batch>): Batch {
  return {
    id: 'batch_1',
    object: 'batch',
    endpoint: '/v1/chat/completions',
    input_file_id: 'file_1',
    completion_window: '24h',
    status: 'in_progress',
    created_at: 1000,
    in_progress_at: 1000,
    request_counts: { total: 100, completed: 15, failed: 5 },
    ...changes,
  };
}

it('computes rate and remaining time of a running batch', () => {
  expect(progressOf(batch({}), 1_010_000)).toEqual({ done: 20, total: 100, rate: 2, remainingMs: 40_000 });
});

it('has no rate before the first request has ended, and no remaining time after the batch has ended', () => {
  const started = batch({ request_counts: { total: 100, completed: 0, failed: 0 } });
  expect(progressOf(started, 1_010_000)).toMatchObject({ rate: undefined, remainingMs: undefined });
  const ended = batch({ status: 'completed', completed_at: 1005 });
  expect(progressOf(ended, 9_999_000)).toMatchObject({ rate: 4, remainingMs: undefined });
});

it('does not show a completed batch with failed requests as a success', () => {
  const counts = (completed: number, failed: number) =>
    batch({ status: 'completed', request_counts: { total: 10, completed, failed } });
  expect([counts(10, 0), counts(7, 3), counts(0, 10)].map(statusTone)).toEqual(['good', 'warning', 'bad']);
  expect(statusText(counts(7, 3))).toBe('completed, 3 of 10 failed');
});

it('says what a batch waits for, unless that is a batch that it has started', () => {
  const waiting = (reason: string) => batch({ waiting_for: { reason, message: '', since: 1000, until: null } });
  expect([statusText(waiting('capacity')), statusTone(waiting('capacity'))]).toEqual([
    'waiting for capacity, 5 of 100 failed',
    'warning',
  ]);
  expect(statusText(waiting('upstream_unavailable'))).toBe('waiting for an upstream, 5 of 100 failed');
  expect(statusText(waiting('batches'))).toBe('in progress, 5 of 100 failed');
});
