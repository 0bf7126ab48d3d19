import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createUsageMeter, createRequestCounter } from './usage-writers.ts';
import { fakeClock } from '../testing/fake-clock.ts';
import type { UsageIncrement, RequestStats, RequestStatsStore } from '@modelwire/ports';

const clock = fakeClock();

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const principal = { keyId: 'key_1', project: 'p' };
const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5, prompt_tokens_details: { cached_tokens: 1 } };

function recorder() {
  const written: UsageIncrement[][] = [];
  const state = { isBroken: false };
  return {
    written,
    state,
    store: {
      async add(increments: readonly UsageIncrement[]) {
        if (state.isBroken) throw new Error('the store is unavailable');
        written.push([...increments]);
      },
      read: async () => [],
    },
  };
}

test('requests of a day, project, key and model are one increment, written together', async () => {
  const { store, written } = recorder();
  const meter = createUsageMeter({
    store,
    onError: () => undefined,
    clock: fakeClock(86_400_000 * 2 + 5),
  });
  meter.count(principal, 'm', usage, 5);
  meter.count(principal, 'm', usage, 5);
  meter.count(principal, 'other', undefined, 0);
  await meter.flush();
  const at = { day: 172_800, project: 'p', keyId: 'key_1' };
  expect(written).toEqual([
    [
      { ...at, model: 'm', requests: 2, inputTokens: 6, outputTokens: 4, cachedTokens: 2, costMicros: 10 },
      { ...at, model: 'other', requests: 1, inputTokens: 0, outputTokens: 0, cachedTokens: 0, costMicros: 0 },
    ],
  ]);
});

test('entries of a failed write are written with the next', async () => {
  const { store, written, state } = recorder();
  const errors: unknown[] = [];
  const meter = createUsageMeter({ store, onError: (error) => errors.push(error), clock });
  state.isBroken = true;
  meter.count(principal, 'm', usage, 5);
  await meter.flush();
  expect(errors).toHaveLength(1);
  state.isBroken = false;
  meter.count(principal, 'm', usage, 5);
  await meter.flush();
  expect(written.flat()).toMatchObject([{ requests: 2 }]);
});

test('writes at intervals, and nothing without usage', async () => {
  const { store, written } = recorder();
  const meter = createUsageMeter({ store, onError: () => undefined, clock });
  await meter.flush();
  expect(written).toEqual([]);
  meter.count(principal, 'm', usage, 5);
  await vi.advanceTimersByTimeAsync(1000);
  expect(written).toHaveLength(1);
});

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
  const clock = fakeClock(noon);
  const counter = createRequestCounter({ store, onError: () => undefined, clock });
  counter.count(outcome);
  counter.count({ ...outcome, isError: true, durationMs: 5 });
  counter.count({ ...outcome, model: '' });
  clock.advance(86_400_000);
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
  const counter = createRequestCounter({ store, onError, clock });
  state.isBroken = true;
  counter.count(outcome);
  await vi.advanceTimersByTimeAsync(1000);
  expect(onError).toHaveBeenCalledTimes(1);
  state.isBroken = false;
  counter.count(outcome);
  await vi.advanceTimersByTimeAsync(1000);
  expect(written).toMatchObject([{ requests: 2, durationMs: 20 }]);
});
