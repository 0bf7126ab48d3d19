import { expect, test, vi } from 'vitest';
import { createLineMemory } from './line-memory.ts';

test('a reservation has the maximum length until its line is read, and then the actual length', () => {
  const memory = createLineMemory({ maxLength: 100, maxLineLength: 40 });
  const freed = vi.fn();
  const first = memory.reserve(freed);
  const second = memory.reserve(freed);
  expect(memory.reserve(freed)).toBeUndefined();
  first?.resize(30);
  expect(memory.reserve(freed)).toBeUndefined();
  second?.resize(30);
  expect(memory.reserve(freed)).toBeDefined();
  expect(memory.reserve(freed)).toBeUndefined();
});

test('all waiting listeners are called once when memory is released', () => {
  const memory = createLineMemory({ maxLength: 50, maxLineLength: 40 });
  const held = memory.reserve(() => undefined);
  const [one, other] = [vi.fn(), vi.fn()];
  memory.reserve(one);
  memory.reserve(other);
  expect(one).not.toHaveBeenCalled();
  held?.release();
  held?.release();
  expect([one.mock.calls.length, other.mock.calls.length]).toEqual([1, 1]);
});

test('a single line is always admitted', () => {
  const memory = createLineMemory({ maxLength: 10, maxLineLength: 40 });
  const held = memory.reserve(() => undefined);
  expect(held).toBeDefined();
  expect(memory.reserve(() => undefined)).toBeUndefined();
  held?.release();
  expect(memory.reserve(() => undefined)).toBeDefined();
});
