import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packedRows, setWeight, stride, sumRows } from './rows.ts';

const weight = fc.integer({ min: -127, max: 127 });
const row = fc.array(weight, { minLength: stride, maxLength: stride });

test('adds the weights of packed rows column by column', () => {
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 1, maxLength: 6 }),
      fc.array(fc.nat(), { maxLength: 900 }),
      (table, picks) => {
        const packed = packedRows(table.length);
        table.forEach((weights, at) => {
          weights.forEach((one, column) => {
            setWeight(packed, at, column, one);
          });
        });
        const rows = picks.map((pick) => pick % table.length);
        const sums = Array.from({ length: stride }, (_, column) =>
          rows.reduce((sum, at) => sum + (table[at]?.[column] ?? 0), 0),
        );
        expect(Array.from(sumRows(packed, rows, 0, rows.length))).toEqual(sums);
      },
    ),
  );
});

test('sums of more rows than fit in 16 bits are exact', () => {
  const packed = packedRows(1);
  for (let column = 0; column < stride; column++) setWeight(packed, 0, column, column % 2 === 0 ? 127 : -127);
  const rows = Array.from({ length: 5000 }, () => 0);
  expect(Array.from(sumRows(packed, rows, 3, 5000)).slice(0, 2)).toEqual([4997 * 127, -4997 * 127]);
});
