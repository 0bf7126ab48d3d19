import { expect, it } from 'vitest';
import { compileJsonSchema } from './compile.ts';

const lengths = [0, 1, 2, 255, 256, 257, 511, 512, 513, 600, 767, 768, 769, 1500, 2047, 5099, 5100, 6000, 6001];
// Characters of one to four bytes, and escapes.
const characters = ['a', 'é', '€', '😀', '\\"', '\\n', '\\\\'];
const textOf = (length: number): string =>
  `"${Array.from({ length }, (_, index) => characters[index % characters.length] ?? '').join('')}"`;

it.each([
  [0, 0],
  [0, 1],
  [1, 1],
  [0, 255],
  [0, 256],
  [0, 512],
  [1, 511],
  [1, 512],
  [1, 1023],
  [1, 1024],
  [1, 6000],
  [3, 6000],
  [5100, 6000],
  [1, 257],
  [255, 256],
  [256, 256],
  [256, 769],
  [257, 600],
  [513, 1500],
  [600, 767],
  [512, Infinity],
  [1, Infinity],
])('accepts exactly the strings of %d to %d characters', (minLength, max) => {
  const limits = max === Infinity ? { minLength } : { minLength, maxLength: max };
  const start = compileJsonSchema({ type: 'string', ...limits }).start();
  for (const length of lengths) {
    const isValid = length >= minLength && length <= max;
    expect([length, start.advance(textOf(length))?.canEnd() === true]).toEqual([length, isValid]);
  }
  expect(start.shortestCompletion()).toHaveLength(minLength + 2);
});

it('needs no states for long limits', () => {
  const properties = Object.fromEntries(
    [10_000, 65_535, 1_000_000].map((maxLength) => [`p${maxLength}`, { type: 'string', maxLength, minLength: 3 }]),
  );
  const { start, cost } = compileJsonSchema({ type: 'object', properties });
  expect(cost.states).toBeLessThan(100);
  const text = start().advance(`{"p10000":"${'a'.repeat(10_000)}`);
  expect([text?.advance('a'), text?.advance('"}')?.mustEnd()]).toEqual([undefined, true]);
});

it('never generates strings of more than 1,000,000 characters', () => {
  const start = compileJsonSchema({ type: 'string', maxLength: 2 ** 31 }).start();
  const text = start.advance(`"${'a'.repeat(1_000_000)}`);
  expect([text?.advance('a'), text?.advance('"')?.mustEnd()]).toEqual([undefined, true]);
});

it('applies the limits to constants in code points', () => {
  const start = compileJsonSchema({ enum: ['😀😀', 'abc', ''], minLength: 1, maxLength: 2 }).start();
  expect([start.advance('"😀😀"')?.canEnd(), start.advance('"abc"'), start.advance('""')]).toEqual([
    true,
    undefined,
    undefined,
  ]);
});
