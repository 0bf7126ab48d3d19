import { expect, test } from 'vitest';
import { createSlots } from './slots.ts';

const never = new AbortController().signal;

test('runs up to the limit concurrently, and the others in order', async () => {
  const slots = createSlots(2);
  let now = 0;
  let maxActive = 0;
  const order: number[] = [];
  await Promise.all(
    [0, 1, 2, 3, 4].map((number) =>
      slots.take(never, async () => {
        maxActive = Math.max(maxActive, ++now);
        await new Promise((resolve) => setImmediate(resolve));
        order.push(number);
        now -= 1;
      }),
    ),
  );
  expect([maxActive, order]).toEqual([2, [0, 1, 2, 3, 4]]);
});

test('an aborted waiter leaves the queue, and the next one gets its slot', async () => {
  const slots = createSlots(1);
  let release = () => {};
  const first = slots.take(never, () => new Promise<void>((resolve) => (release = resolve)));
  const abort = new AbortController();
  const second = slots.take(abort.signal, () => Promise.resolve('second'));
  const third = slots.take(never, () => Promise.resolve('third'));
  abort.abort(new Error('gone'));
  await expect(second).rejects.toThrow('gone');
  release();
  await first;
  expect(await third).toBe('third');
});

test('a failed operation releases its slot', async () => {
  const slots = createSlots(1);
  await expect(slots.take(never, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await slots.take(never, () => Promise.resolve(1))).toBe(1);
});
