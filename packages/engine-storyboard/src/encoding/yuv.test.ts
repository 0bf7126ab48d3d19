import { expect, test } from 'vitest';
import { toYuv } from './yuv.ts';

// By the definition: ITU-R BT.709, limited range.
function exact([r, g, b]: readonly [number, number, number]): readonly number[] {
  const luma = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return [
    16 + (luma * 219) / 255,
    128 + (((b - luma) / 1.8556) * 224) / 255,
    128 + (((r - luma) / 1.5748) * 224) / 255,
  ];
}

test.each<[number, number, number]>([
  [0, 0, 0],
  [255, 255, 255],
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [128, 128, 128],
  [12, 200, 99],
])('the colour %i, %i, %i is that of BT.709 within one step', (...colour) => {
  const pixels = Uint8Array.from({ length: 2 * 2 * 4 }, (_, at) => (at % 4 === 3 ? 255 : colour[at % 4]!));
  const into = new Uint8Array(6);
  toYuv(pixels, 2, 2, into);
  const [luma, u, v] = exact(colour);
  for (const at of [0, 1, 2, 3]) expect(Math.abs(into[at]! - luma!)).toBeLessThanOrEqual(1);
  expect(Math.abs(into[4]! - u!)).toBeLessThanOrEqual(1);
  expect(Math.abs(into[5]! - v!)).toBeLessThanOrEqual(1);
});
