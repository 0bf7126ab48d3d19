import type { RequestStats, RequestStatsStore } from '@modelwire/ports';
import { expect, test, vi } from 'vitest';
import { createRequestCounter } from './request-counter.ts';

const outcome = { project: 'p', keyId: 'key_1', model: 'm', isError: false, durationMs: 10 };
const noon = 2 * 86_400_000 + 43_200_000;

function recordingStore() {
  const written: RequestStats[] = [];
  const state = { isBroken: false };
  const store: RequestStatsStore = {
    add(stats) {
      if (state.isBroken) return Promise.reject(new Error('the store is down'));
      written.push(...stats);
      return Promise.resolve();
    },
    read: () => Promise.resolve([]),
  };
  return { store, written, state };
}

test('sums requests, errors and durations by day, project, key and model', async () => {
  const { store, written } = recordingStore();
  let at = noon;
  const counter = createRequestCounter({ store, onError: () => undefined, now: () => at });
  counter.count(outcome);
  counter.count({ ...outcome, isError: true, durationMs: 5 });
  counter.count({ ...outcome, model: '' });
  at += 86_400_000;
  counter.count(outcome);
  await counter.flush();
  const common = { project: 'p', keyId: 'key_1' };
  expect(written).toEqual([
    { ...common, day: 172_800, model: 'm', requests: 2, errors: 1, durationMs: 15 },
    { ...common, day: 172_800, model: '', requests: 1, errors: 0, durationMs: 10 },
    { ...common, day: 259_200, model: 'm', requests: 1, errors: 0, durationMs: 10 },
  ]);
});

test('writes by itself, and keeps the counts of a failed write for the next', async () => {
  const { store, written, state } = recordingStore();
  const onError = vi.fn();
  const counter = createRequestCounter({ store, intervalMs: 1, onError });
  state.isBroken = true;
  counter.count(outcome);
  await expect.poll(() => onError.mock.calls.length).toBe(1);
  state.isBroken = false;
  counter.count(outcome);
  await expect.poll(() => written).toMatchObject([{ requests: 2, durationMs: 20 }]);
});
