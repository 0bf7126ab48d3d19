import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createBufferedWriter } from './buffered-writer.ts';

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
    // A spy on a fake timer would outlive it.
    vi.useRealTimers();
    const timers = vi.spyOn(globalThis, 'setTimeout');
    createCountWriter([], keepsProcessAlive).writer.add(single('a'));
    const [timer, ...others] = timers.mock.results.map(({ value }) => value as NodeJS.Timeout);
    timers.mockRestore();
    expect([timer?.hasRef(), others]).toEqual([expected, []]);
    clearTimeout(timer);
  },
);

/** A store that fails for these names, each alone or with others, and counts what it has written. */
function createStore(bad: Set<string>) {
  const store = new Map<string, number>();
  const calls: number[] = [];
  const errors: unknown[] = [];
  const dropped: string[] = [];
  const writer = createBufferedWriter<NamedCount>({
    keyOf: ({ name }) => name,
    merge: (existing, added) => ({ name: existing.name, count: existing.count + added.count }),
    async write(entries) {
      calls.push(entries.length);
      if (bad.has('*') || entries.some(({ name }) => bad.has(name))) throw new Error('integer overflow');
      for (const { name, count } of entries) store.set(name, (store.get(name) ?? 0) + count);
    },
    intervalMs: 1000,
    onError: (error) => void errors.push(error),
    onDrop: ({ name }) => void dropped.push(name),
  });
  return { writer, store, calls, errors, dropped };
}

test('an entry that cannot be written does not block the others, and is given up after three failures alone', async () => {
  const { writer, store, dropped } = createStore(new Set(['bad']));
  for (const name of ['a', 'bad', 'b']) writer.add(single(name));
  await writer.flush();
  await writer.flush();
  expect(Object.fromEntries(store)).toEqual({ a: 1, b: 1 });
  expect(dropped).toEqual([]);
  writer.add(single('a'));
  await writer.flush();
  expect(Object.fromEntries(store)).toEqual({ a: 2, b: 1 });
  expect(dropped).toEqual(['bad']);
});

test('an entry that failed alone for a moment is written', async () => {
  const bad = new Set(['a']);
  const { writer, store, dropped } = createStore(bad);
  for (const name of ['a', 'b']) writer.add(single(name));
  await writer.flush();
  await writer.flush();
  bad.clear();
  writer.add(single('c'));
  await writer.flush();
  expect(Object.fromEntries(store)).toEqual({ a: 1, b: 1, c: 1 });
  expect(dropped).toEqual([]);
});

test('nothing is lost while the store is unavailable, and few writes are tried', async () => {
  const bad = new Set(['*']);
  const { writer, store, calls, errors, dropped } = createStore(bad);
  for (let index = 0; index < 100; index++) writer.add(single(`m${index}`));
  for (let time = 0; time < 5; time++) await writer.flush();
  expect(calls.length).toBeLessThan(50);
  expect(errors).toHaveLength(5);
  bad.clear();
  await writer.flush();
  expect([...store.values()]).toEqual(Array.from({ length: 100 }, () => 1));
  expect(dropped).toEqual([]);
});

test('many entries that cannot be written block the others only until they were tried', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `bad${index}`);
  const { writer, store, dropped } = createStore(new Set(names));
  for (const name of [...names, 'good']) writer.add(single(name));
  for (let time = 0; time < 6; time++) await writer.flush();
  expect(Object.fromEntries(store)).toEqual({ good: 1 });
  for (const name of ['x', 'y', 'z']) {
    writer.add(single(name));
    await writer.flush();
  }
  expect(dropped.toSorted()).toEqual(names.toSorted());
});
