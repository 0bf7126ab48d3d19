import { expect, test, vi } from 'vitest';
import { lineMemory } from './line-memory.ts';

test('room is that of the longest line until one is read, and then its own', () => {
  const memory = lineMemory({ most: 100, longest: 40 });
  const freed = vi.fn();
  const first = memory.take(freed);
  const second = memory.take(freed);
  expect(memory.take(freed)).toBeUndefined();
  first?.is(30);
  expect(memory.take(freed)).toBeUndefined();
  second?.is(30);
  expect(memory.take(freed)).toBeDefined();
  expect(memory.take(freed)).toBeUndefined();
});

test('all that wait are told when there may be room, once', () => {
  const memory = lineMemory({ most: 50, longest: 40 });
  const held = memory.take(() => undefined);
  const [one, other] = [vi.fn(), vi.fn()];
  memory.take(one);
  memory.take(other);
  expect(one).not.toHaveBeenCalled();
  held?.free();
  held?.free();
  expect([one.mock.calls.length, other.mock.calls.length]).toEqual([1, 1]);
});

test('one line is let in where none would fit', () => {
  const memory = lineMemory({ most: 10, longest: 40 });
  const held = memory.take(() => undefined);
  expect(held).toBeDefined();
  expect(memory.take(() => undefined)).toBeUndefined();
  held?.free();
  expect(memory.take(() => undefined)).toBeDefined();
});
