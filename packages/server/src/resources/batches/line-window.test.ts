import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { createLineWindow } from './line-window.ts';
import type { LineWindowOptions } from './line-window.ts';

function windowOf({
  storedSize = 32,
  minSize = () => 32,
  write = () => Promise.resolve(),
}: { storedSize?: number; minSize?: () => number; write?: (size: number) => Promise<void> } = {}) {
  const failed = vi.fn();
  const grown = vi.fn();
  const writes = vi.fn(write);
  const window = createLineWindow({
    minSize,
    maxSize: () => 512,
    storedSize,
    storeSize: writes,
    onGrown: grown,
    onError: failed,
  });
  async function complete(lines: number, ms: number): Promise<void> {
    for (let line = 0; line < lines; line++) {
      window.recordCompletion(ms);
      // Resolves after earlier writes.
      await new Promise(setImmediate);
    }
  }
  return { window, complete, failed, grown, sizes: () => writes.mock.calls.map(([size]) => size) };
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

test('follows the lines that may run at once, however slow they are, and stores more before it grows', async () => {
  let wanted = 8;
  const written: (() => void)[] = [];
  const { window, complete, grown, sizes } = windowOf({
    storedSize: 8,
    minSize: () => wanted,
    write: () => new Promise((resolve) => written.push(resolve)),
  });
  wanted = 16;
  await complete(1, 10_000);
  expect([window.size(), sizes()]).toEqual([8, [20]]);
  written.shift()?.();
  await complete(1, 10_000);
  expect(window.size()).toBe(16);
  expect(grown).toHaveBeenCalledOnce();
  wanted = 20;
  await complete(1, 10_000);
  expect([window.size(), sizes()]).toEqual([20, [20]]);
  wanted = 4;
  expect(window.size()).toBe(4);
  // More lines are running: a crash would repeat them.
  window.recordStored(18);
  expect(sizes()).toEqual([20]);
  window.recordStored(4);
  expect(sizes()).toEqual([20, 4]);
});

test('whatever happens, no more lines run than are stored', async () => {
  const step = fc.record({
    action: fc.constantFrom('start', 'start', 'start', 'end', 'end', 'resize', 'written', 'stored'),
    value: fc.integer({ min: 1, max: 60 }),
    ms: fc.constantFrom(1, 100, 10_000),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 200 }), async (steps) => {
      let wanted = 4;
      let stored = 4;
      let running = 0;
      const writes: (() => void)[] = [];
      const { window } = windowOf({
        storedSize: stored,
        minSize: () => wanted,
        write: (size) =>
          new Promise((resolve) => {
            // A write takes effect at some time before it returns.
            stored = Math.min(stored, size);
            writes.push(() => {
              stored = size;
              resolve();
            });
          }),
      });
      for (const { action, value, ms } of steps) {
        if (action === 'start' && running < window.size()) running++;
        else if (action === 'end' && running > 0) {
          running--;
          window.recordCompletion(ms);
        } else if (action === 'resize') wanted = value;
        else if (action === 'written') writes.shift()?.();
        else if (action === 'stored') window.recordStored(running);
        await Promise.resolve();
        expect(running).toBeLessThanOrEqual(stored);
      }
    }),
  );
});

test('does not grow when its size cannot be stored', async () => {
  const failure = new Error('no connection');
  const { window, complete, failed } = windowOf({ write: () => Promise.reject(failure) });
  await complete(64, 1);
  expect(window.size()).toBe(32);
  expect(failed).toHaveBeenCalledWith(failure);
});
