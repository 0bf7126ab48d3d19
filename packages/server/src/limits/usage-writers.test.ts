import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  createBufferedWriter,
  createDailyKeyFormatter,
  createUsageMeter,
  createRequestCounter,
} from './usage-writers.ts';
import type { UsageIncrement, RequestStats, RequestStatsStore } from '@modelwire/ports';

interface NamedCount {
  readonly name: string;
  readonly count: number;
}

const single = (name: string): NamedCount => ({ name, count: 1 });

/** A writer of counts every second. `written`: the entries of each write; `results`: of the writes, in order. Default: they succeed. */
function createCountWriter(results: Promise<unknown>[] = [], keepsProcessAlive?: boolean) {
  const written: (readonly NamedCount[])[] = [];
  const errors: unknown[] = [];
  const writer = createBufferedWriter<NamedCount>({
    keyOf: ({ name }) => name,
    merge: (existing, added) => ({ name: existing.name, count: existing.count + added.count }),
    async write(entries) {
      written.push(entries);
      await results.shift();
    },
    intervalMs: 1000,
    onError: (error) => void errors.push(error),
    keepsProcessAlive,
  });
  return { writer, written, errors };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('writes the entries of an interval together, those with the same key merged', async () => {
  const { writer, written } = createCountWriter();
  for (const name of ['a', 'b', 'a']) writer.add(single(name));
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(999);
  expect(written).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(written).toEqual([[{ name: 'a', count: 2 }, single('b')]]);
  writer.add(single('a'));
  await vi.advanceTimersByTimeAsync(1000);
  expect(written.slice(1)).toEqual([[single('a')]]);
});

test('flush writes immediately, and does not write the same entries again after the interval', async () => {
  const { writer, written } = createCountWriter();
  writer.add(single('a'));
  await writer.flush();
  expect(written).toEqual([[single('a')]]);
  expect(vi.getTimerCount()).toBe(0);
  await writer.flush();
  expect(written).toHaveLength(1);
});

test('reports a failed write, and writes its entries with the next', async () => {
  const error = new Error('The disk is full.');
  const { writer, written, errors } = createCountWriter([Promise.reject(error)]);
  for (const name of ['a', 'b']) writer.add(single(name));
  await writer.flush();
  expect(errors).toEqual([error]);
  writer.add(single('a'));
  await writer.flush();
  expect(written.slice(1)).toEqual([[{ name: 'a', count: 2 }, single('b')]]);
  await writer.flush();
  expect(written).toHaveLength(2);
  expect(errors).toHaveLength(1);
});

test('writes one after the other, and entries that are added during a write with the next', async () => {
  const first = Promise.withResolvers<undefined>();
  const { writer, written, errors } = createCountWriter([first.promise]);
  writer.add(single('a'));
  const flushed = [writer.flush()];
  await vi.advanceTimersByTimeAsync(0);
  expect(written).toEqual([[single('a')]]);
  writer.add(single('b'));
  flushed.push(writer.flush());
  await vi.advanceTimersByTimeAsync(1000);
  expect(written).toEqual([[single('a')]]);
  first.reject(new Error('The connection was lost.'));
  await Promise.all(flushed);
  expect(errors).toHaveLength(1);
  expect(written.slice(1)).toEqual([[single('b'), single('a')]]);
});

test.each([
  { keepsProcessAlive: undefined, expected: true },
  { keepsProcessAlive: true, expected: true },
  { keepsProcessAlive: false, expected: false },
])(
  'with keepsProcessAlive $keepsProcessAlive, the timer keeps the process alive: $expected',
  ({ expected, keepsProcessAlive }) => {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    createCountWriter([], keepsProcessAlive).writer.add(single('a'));
    expect(timers.mock.results.map(({ value }) => (value as NodeJS.Timeout).hasRef())).toEqual([expected]);
    timers.mockRestore();
  },
);

const fields = { day: 1, project: 'p', keyId: 'k', model: 'm' };

test('returns equal keys for equal fields, also after other fields, and a different key when any field differs', () => {
  const keyOf = createDailyKeyFormatter();
  const key = keyOf(fields);
  for (const other of [{ day: 2 }, { project: 'q' }, { keyId: 'l' }, { model: 'n' }]) {
    expect(keyOf({ ...fields })).toBe(key);
    expect(keyOf({ ...fields, ...other })).not.toBe(key);
  }
  expect(keyOf(fields)).toBe(key);
});

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
    intervalMs: 60_000,
    onError: () => undefined,
    now: () => 86_400_000 * 2 + 5,
  });
  meter.count(principal, 'm', usage);
  meter.count(principal, 'm', usage);
  meter.count(principal, 'other', undefined);
  await meter.flush();
  const at = { day: 172_800, project: 'p', keyId: 'key_1' };
  expect(written).toEqual([
    [
      { ...at, model: 'm', requests: 2, inputTokens: 6, outputTokens: 4, cachedTokens: 2, costMicros: 0 },
      { ...at, model: 'other', requests: 1, inputTokens: 0, outputTokens: 0, cachedTokens: 0, costMicros: 0 },
    ],
  ]);
});

test('entries of a failed write are written with the next', async () => {
  const { store, written, state } = recorder();
  const errors: unknown[] = [];
  const meter = createUsageMeter({ store, intervalMs: 60_000, onError: (error) => errors.push(error) });
  state.isBroken = true;
  meter.count(principal, 'm', usage);
  await meter.flush();
  expect(errors).toHaveLength(1);
  state.isBroken = false;
  meter.count(principal, 'm', usage);
  await meter.flush();
  expect(written.flat()).toMatchObject([{ requests: 2 }]);
});

test('writes at intervals, and nothing without usage', async () => {
  const { store, written } = recorder();
  const meter = createUsageMeter({ store, intervalMs: 5, onError: () => undefined });
  await meter.flush();
  expect(written).toEqual([]);
  meter.count(principal, 'm', usage);
  await expect.poll(() => written.length).toBe(1);
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
