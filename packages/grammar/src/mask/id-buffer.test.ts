import { expect, it } from 'vitest';
import { IdBuffer } from './id-buffer.ts';

const range = (count: number): number[] => Array.from({ length: count }, (_, id) => id);
const capacityOf = (buffer: IdBuffer): number => buffer.ids().buffer.byteLength / 4;

it('returns any number of ids sorted and without duplicates', () => {
  const buffer = new IdBuffer();
  for (const count of [3, 5000, 2]) {
    buffer.clear();
    buffer.addAll(range(count).reverse());
    for (const id of range(count)) buffer.add(id);
    expect([...buffer.sorted()]).toEqual(range(count));
  }
});

it('keeps at most 1 MB of memory when it is cleared', () => {
  const buffer = new IdBuffer();
  buffer.addAll(range(200_000));
  buffer.clear();
  expect(capacityOf(buffer)).toBe(200_000);
  buffer.addAll(new Uint32Array(3_000_000));
  buffer.clear();
  expect(capacityOf(buffer)).toBeLessThan(2000);
  buffer.addAll([7, 5, 7]);
  expect([...buffer.sorted()]).toEqual([5, 7]);
});
