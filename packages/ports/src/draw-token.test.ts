import { expect, test } from 'vitest';
import { drawToken } from './draw-token.ts';

const logprobs = [0.5, 0.3, 0.2].map(Math.log);
const draw = (temperature: number, top_p: number): number[] =>
  [0, 0.49, 0.51, 0.79, 0.81, 1 - 2 ** -53].map((place) => drawToken(logprobs, { temperature, top_p }, () => place));

test('draws a token with its probability', () => {
  expect(draw(1, 1)).toEqual([0, 0, 1, 1, 2, 2]);
});

test('draws the most likely token at temperature 0, and the most likely ones with a total of top_p', () => {
  expect(new Set(draw(0, 1))).toEqual(new Set([0]));
  expect(new Set(draw(1, 0.5))).toEqual(new Set([0]));
  expect(new Set(draw(1, 0.6))).toEqual(new Set([0, 1]));
  expect(drawToken([], { temperature: 1, top_p: 1 }, () => 0)).toBe(0);
});

test('raises probabilities to the power of 1 / temperature', () => {
  // At temperature 0.5 they are 25, 9 and 4 of 38.
  expect(
    [0.65, 0.66, 0.89, 0.9].map((place) => drawToken(logprobs, { temperature: 0.5, top_p: 1 }, () => place)),
  ).toEqual([0, 1, 1, 2]);
});
