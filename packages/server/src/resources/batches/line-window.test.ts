import { expect, test, vi } from 'vitest';
import { createLineWindow } from './line-window.ts';
import type { LineWindowOptions } from './line-window.ts';

function windowOf({
  storedSize,
  write = () => Promise.resolve(),
}: { storedSize?: number; write?: (size: number) => Promise<void> } = {}) {
  const failed = vi.fn();
  const writes = vi.fn(write);
  const window = createLineWindow({ minSize: 32, maxSize: () => 512, storedSize, storeSize: writes, onError: failed });
  async function complete(lines: number, ms: number): Promise<void> {
    for (let line = 0; line < lines; line++) {
      window.recordCompletion(ms);
      // Resolves after earlier writes.
      await new Promise(setImmediate);
    }
  }
  return { window, complete, failed, sizes: () => writes.mock.calls.map(([size]) => size) };
}

test('doubles up to its maximum while lines are completed quickly, and stores each size', async () => {
  const { window, complete, sizes } = windowOf();
  await complete(2000, 1);
  expect(window.size()).toBe(512);
  expect(sizes()).toEqual([64, 128, 256, 512]);
});

test('does not grow beyond the lines that are completed in five seconds', async () => {
  const { window, complete } = windowOf();
  await complete(2000, 40);
  expect(window.size()).toBe(64);
});

test('keeps its minimum size while lines take longer', async () => {
  const { window, complete, sizes } = windowOf();
  await complete(200, 1000);
  window.recordStored(0);
  expect([window.size(), sizes()]).toEqual([32, []]);
});

test('has a size only when it is stored', async () => {
  const written = Promise.withResolvers<Awaited<ReturnType<LineWindowOptions['storeSize']>>>();
  const { window, complete } = windowOf({ write: () => written.promise });
  await complete(100, 1);
  expect(window.size()).toBe(32);
  written.resolve();
  await complete(1, 1);
  expect(window.size()).toBe(64);
});

test('returns to its minimum size when lines become slow, and stores it when fewer lines are not stored', async () => {
  const { window, complete, sizes } = windowOf();
  await complete(2000, 1);
  await complete(1, 60_000);
  expect(window.size()).toBe(32);
  window.recordStored(33);
  expect(sizes().at(-1)).toBe(512);
  window.recordStored(32);
  expect(sizes().at(-1)).toBe(32);
});

test('writes its minimum size when an earlier run of the batch had grown it', () => {
  const { window, sizes } = windowOf({ storedSize: 512 });
  window.recordStored(16);
  expect([window.size(), sizes()]).toEqual([32, [32]]);
});

test('does not grow when its size cannot be stored', async () => {
  const failure = new Error('no connection');
  const { window, complete, failed } = windowOf({ write: () => Promise.reject(failure) });
  await complete(64, 1);
  expect(window.size()).toBe(32);
  expect(failed).toHaveBeenCalledWith(failure);
});
