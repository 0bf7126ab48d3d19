import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createBufferedWriter } from './buffered-writer.ts';

interface Count {
  readonly of: string;
  readonly times: number;
}

const once = (of: string): Count => ({ of, times: 1 });

/** A writer of counts every second. `written`: the entries of each write; `results`: of the writes, in order. Default: they succeed. */
function countsWriter(results: Promise<unknown>[] = [], keepsProcessAlive?: boolean) {
  const written: (readonly Count[])[] = [];
  const errors: unknown[] = [];
  const writer = createBufferedWriter<Count>({
    keyOf: ({ of }) => of,
    merge: (existing, added) => ({ of: existing.of, times: existing.times + added.times }),
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
  const { writer, written } = countsWriter();
  for (const of of ['a', 'b', 'a']) writer.add(once(of));
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(999);
  expect(written).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(written).toEqual([[{ of: 'a', times: 2 }, once('b')]]);
  writer.add(once('a'));
  await vi.advanceTimersByTimeAsync(1000);
  expect(written.slice(1)).toEqual([[once('a')]]);
});

test('flush writes immediately, and does not write the same entries again after the interval', async () => {
  const { writer, written } = countsWriter();
  writer.add(once('a'));
  await writer.flush();
  expect(written).toEqual([[once('a')]]);
  expect(vi.getTimerCount()).toBe(0);
  await writer.flush();
  expect(written).toHaveLength(1);
});

test('reports a failed write, and writes its entries with the next', async () => {
  const error = new Error('The disk is full.');
  const { writer, written, errors } = countsWriter([Promise.reject(error)]);
  for (const of of ['a', 'b']) writer.add(once(of));
  await writer.flush();
  expect(errors).toEqual([error]);
  writer.add(once('a'));
  await writer.flush();
  expect(written.slice(1)).toEqual([[{ of: 'a', times: 2 }, once('b')]]);
  await writer.flush();
  expect(written).toHaveLength(2);
  expect(errors).toHaveLength(1);
});

test('writes one after the other, and entries that are added during a write with the next', async () => {
  const first = Promise.withResolvers<undefined>();
  const { writer, written, errors } = countsWriter([first.promise]);
  writer.add(once('a'));
  const flushed = [writer.flush()];
  await vi.advanceTimersByTimeAsync(0);
  expect(written).toEqual([[once('a')]]);
  writer.add(once('b'));
  flushed.push(writer.flush());
  await vi.advanceTimersByTimeAsync(1000);
  expect(written).toEqual([[once('a')]]);
  first.reject(new Error('The connection was lost.'));
  await Promise.all(flushed);
  expect(errors).toHaveLength(1);
  expect(written.slice(1)).toEqual([[once('b'), once('a')]]);
});

test.each([
  { keepsProcessAlive: undefined, expected: true },
  { keepsProcessAlive: true, expected: true },
  { keepsProcessAlive: false, expected: false },
])(
  'with keepsProcessAlive $keepsProcessAlive, the timer keeps the process alive: $expected',
  ({ expected, keepsProcessAlive }) => {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    countsWriter([], keepsProcessAlive).writer.add(once('a'));
    expect(timers.mock.results.map(({ value }) => (value as NodeJS.Timeout).hasRef())).toEqual([expected]);
    timers.mockRestore();
  },
);
