import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDurationCounts } from './duration-counts.ts';
import { createUsageMeter } from './usage-meter.ts';
import { fakeClock } from '../testing/fake-clock.ts';
import type { DurationCount, MinuteStats, UsageIncrement, RequestStats, RequestStatsStore } from '@modelwire/ports';

const clock = fakeClock();

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A meter with these stores, of which the others forget what they are given. */
function meterOf(
  stores: Partial<Parameters<typeof createUsageMeter>[0]['stores']>,
  ofClock = clock,
  report: (what: string, error: unknown) => void = () => undefined,
) {
  const usage = { add: async () => undefined };
  return createUsageMeter({
    stores: { usage, keys: { recordUse: async () => undefined }, ...stores },
    countsMinutes: true,
    clock: ofClock,
    report,
  });
}

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
  const meter = meterOf({ usage: store }, fakeClock(86_400_000 * 2 + 5));
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
  const report = vi.fn();
  const meter = meterOf({ usage: store }, clock, report);
  state.isBroken = true;
  meter.count(principal, 'm', usage, 5);
  await meter.flush();
  expect(report.mock.calls).toEqual([['usage was not written', new Error('the store is unavailable')]]);
  state.isBroken = false;
  meter.count(principal, 'm', usage, 5);
  await meter.flush();
  expect(written.flat()).toMatchObject([{ requests: 2 }]);
});

test('writes at intervals, and nothing without usage', async () => {
  const { store, written } = recorder();
  const meter = meterOf({ usage: store });
  await meter.flush();
  expect(written).toEqual([]);
  meter.count(principal, 'm', usage, 5);
  await vi.advanceTimersByTimeAsync(1000);
  expect(written).toHaveLength(1);
});

const outcome = {
  project: 'p',
  keyId: 'key_1',
  model: 'm',
  isError: false,
  durationMs: 10,
  firstTokenMs: undefined,
  usage: undefined,
  costMicros: 0,
};
const noon = 2 * 86_400_000 + 43_200_000;

function recordingStore() {
  const written: RequestStats[] = [];
  const durations: DurationCount[] = [];
  const minutes: MinuteStats[][] = [];
  const state = { isBroken: false };
  const store: RequestStatsStore = {
    add(stats) {
      if (state.isBroken) return Promise.reject(new Error('the store is down'));
      written.push(...stats);
      return Promise.resolve();
    },
    read: () => Promise.resolve([]),
    addDurations: async (counts) => void durations.push(...counts),
    readDurations: () => Promise.resolve([]),
    addMinutes: async (stats) => void minutes.push([...stats]),
    readMinutes: () => Promise.resolve([]),
  };
  return { store, written, durations, minutes, state };
}

test('sums requests and errors by day, project, key and model', async () => {
  const { store, written } = recordingStore();
  const clock = fakeClock(noon);
  const meter = meterOf({ requestStats: store }, clock);
  meter.countRequest(outcome);
  meter.countRequest({ ...outcome, isError: true, durationMs: 5 });
  meter.countRequest({ ...outcome, model: '' });
  clock.advance(86_400_000);
  meter.countRequest(outcome);
  await meter.flush();
  const common = { project: 'p', keyId: 'key_1' };
  expect(written).toEqual([
    { ...common, day: 172_800, model: 'm', requests: 2, errors: 1 },
    { ...common, day: 172_800, model: '', requests: 1, errors: 0 },
    { ...common, day: 259_200, model: 'm', requests: 1, errors: 0 },
  ]);
});

test('counts durations and times to the first token by their range', async () => {
  const { store, durations } = recordingStore();
  const meter = meterOf({ requestStats: store }, fakeClock(noon));
  meter.countRequest({ ...outcome, durationMs: 100, firstTokenMs: 10 });
  meter.countRequest({ ...outcome, durationMs: 101 });
  meter.countRequest({ ...outcome, durationMs: 10_000_000, firstTokenMs: 101 });
  await meter.flush();
  const key = { project: 'p', keyId: 'key_1', day: 172_800, model: 'm' };
  expect(durations).toEqual([
    { ...key, range: 21, requests: 2, firstTokens: 1 },
    { ...key, range: 11, requests: 0, firstTokens: 1 },
    { ...key, range: 64, requests: 1, firstTokens: 0 },
  ]);
});

test('sums the requests of a minute by project, model and range of durations, in one write every five seconds', async () => {
  const { store, minutes } = recordingStore();
  const clock = fakeClock(noon);
  const meter = meterOf({ requestStats: store }, clock);
  meter.countRequest({ ...outcome, durationMs: 100, firstTokenMs: 10, usage, costMicros: 7 });
  meter.countRequest({ ...outcome, keyId: 'key_2', durationMs: 101, isError: true });
  clock.advance(60_000);
  meter.countRequest({ ...outcome, durationMs: 100 });
  await vi.advanceTimersByTimeAsync(5000);
  const none = { requests: 0, errors: 0, inputTokens: 0, outputTokens: 0, cachedTokens: 0, costMicros: 0 };
  const key = { project: 'p', model: 'm', minute: noon / 1000 };
  const used = { inputTokens: 3, outputTokens: 2, cachedTokens: 1, costMicros: 7 };
  expect(minutes).toEqual([
    [
      { ...key, range: 21, requests: 2, errors: 1, ...used, firstTokens: 0 },
      { ...key, range: 11, ...none, firstTokens: 1 },
      { ...key, minute: key.minute + 60, range: 21, ...none, requests: 1, firstTokens: 0 },
    ],
  ]);
});

test('counts at most a hundred pairs of a project and a model in a minute, and requests of others without either', async () => {
  const { store, minutes } = recordingStore();
  const clock = fakeClock(noon);
  const meter = meterOf({ requestStats: store }, clock);
  for (let model = 0; model < 120; model++) meter.countRequest({ ...outcome, model: `model ${model}` });
  meter.countRequest({ ...outcome, model: 'model 99' });
  clock.advance(60_000);
  meter.countRequest({ ...outcome, model: 'model 119' });
  await meter.flush();
  const written = minutes.flat();
  expect(written).toHaveLength(102);
  expect(written[99]).toMatchObject({ project: 'p', model: 'model 99', requests: 2 });
  expect(written[100]).toMatchObject({ project: '', model: '', requests: 20 });
  expect(written[101]).toMatchObject({ project: 'p', model: 'model 119', requests: 1 });
});

test('writes by itself, and keeps the counts of a failed write for the next', async () => {
  const { store, written, state } = recordingStore();
  const report = vi.fn();
  const meter = meterOf({ requestStats: store }, clock, report);
  state.isBroken = true;
  meter.countRequest(outcome);
  await vi.advanceTimersByTimeAsync(1000);
  expect(report).toHaveBeenCalledTimes(1);
  state.isBroken = false;
  meter.countRequest(outcome);
  await vi.advanceTimersByTimeAsync(1000);
  expect(written).toMatchObject([{ requests: 2 }]);
});

test('percentiles of durations are exact to 12 %, and unknown without durations', () => {
  const durations = createDurationCounts();
  expect(durations.percentile(0.5)).toBeUndefined();
  for (let milliseconds = 1; milliseconds <= 1000; milliseconds++) durations.add(milliseconds);
  expect(Math.abs((durations.percentile(0.5) ?? 0) - 500)).toBeLessThan(60);
  expect(Math.abs((durations.percentile(0.95) ?? 0) - 950)).toBeLessThan(114);
});
