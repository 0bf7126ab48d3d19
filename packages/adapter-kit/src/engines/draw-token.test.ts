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

const options = { temperature: 1, top_p: 1 };
const drawn = (more: object): ReadonlySet<number> =>
  new Set(Array.from({ length: 100 }, (_, at) => drawToken(logprobs, { ...options, ...more }, () => at / 100)));

test('draws from the top_k most likely tokens, and from those with at least min_p of the highest probability', () => {
  expect([...drawn({ top_k: 2 })]).toEqual([0, 1]);
  expect([...drawn({ top_k: 0 })]).toEqual([0, 1, 2]);
  expect([...drawn({ min_p: 0.5 })]).toEqual([0, 1]);
  expect([...drawn({ min_p: 1 })]).toEqual([0]);
});

test('draws from the tokens whose information is closest to the entropy, with typical_p', () => {
  // The entropy is 1.03; the information of the tokens is 0.69, 1.20 and 1.61.
  expect([...drawn({ typical_p: 0.2 })]).toEqual([1]);
  expect([...drawn({ typical_p: 0.7 })]).toEqual([0, 1]);
  expect([...drawn({ typical_p: 1 })]).toEqual([0, 1, 2]);
});

test('raises probabilities to the power of 1 / temperature', () => {
  // At temperature 0.5 they are 25, 9 and 4 of 38.
  expect(
    [0.65, 0.66, 0.89, 0.9].map((place) => drawToken(logprobs, { temperature: 0.5, top_p: 1 }, () => place)),
  ).toEqual([0, 1, 1, 2]);
});
