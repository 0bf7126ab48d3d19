import { beforeAll, describe, expect, test } from 'vitest';
import { requireInstalled } from './image-moderation.ts';
import { image, packColumns, pointwise, uncut } from './kernels.ts';
import { classes, network } from './network.ts';
import { pictures, pixelsOf } from './testing/pictures.ts';
import { readWeights } from './weights.ts';

describe('the network', () => {
  let see: ReturnType<typeof network>;
  beforeAll(() => {
    see = network(readWeights());
  });

  test.each(Object.entries(pictures))('gives %s the scores of TensorFlow with the same weights', (_, { at, says }) => {
    const seen = see(pixelsOf(at));
    classes.forEach((name, index) => expect(seen[name]).toBeCloseTo(says[index]!, 4));
  });

  test('gives a picture the same scores whatever came before', () => {
    const plain = pixelsOf(pictures['a plain colour'].at);
    const first = see(plain);
    see(pixelsOf(pictures.noise.at));
    expect(see(plain)).toEqual(first);
  });
});

test.each([
  [1, 1, 4],
  [3, 5, 8],
  [7, 2, 4],
])('the fast product of %i pixels of %i channels by %i columns is the plain one', (pixels, inner, columns) => {
  const from = image({ height: 1, width: pixels, channels: inner });
  from.data.forEach((_, index) => (from.data[index] = (index * 7) % 5));
  const weights = Float32Array.from({ length: inner * columns }, (_, index) => ((index * 3) % 7) - 3);
  const bias = Float32Array.from({ length: columns }, (_, index) => index);
  const to = image({ height: 1, width: pixels, channels: columns });
  pointwise(from, packColumns(weights, inner, columns), bias, uncut, to);
  const plain = Array.from(to.data, (_, at) => {
    const pixel = Math.floor(at / columns);
    const column = at % columns;
    let sum = bias[column]!;
    for (let k = 0; k < inner; k++) sum += from.data[pixel * inner + k]! * weights[k * columns + column]!;
    return sum;
  });
  expect([...to.data]).toEqual(plain);
});

test.each(['nsfwjs', 'sharp'])('without its optional package %s it says which line installs it', (missing) => {
  const resolve = (name: string): void => {
    if (name === missing) throw new Error(`Cannot find module '${name}'`);
  };
  expect(() => requireInstalled(resolve)).toThrow(
    `needs the package '${missing}': npm install --legacy-peer-deps nsfwjs@4.3.0 sharp`,
  );
});
