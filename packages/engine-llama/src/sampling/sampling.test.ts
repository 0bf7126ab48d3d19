import type { Token } from 'node-llama-cpp';
import { expect, test } from 'vitest';
import { seededRandom } from '../random.ts';
import { choose, nucleus } from './choose.ts';
import { allowed, scoresOf } from './scores.ts';
import type { Scores } from './scores.ts';

const token = (id: number): Token => id as Token;
const scores = (...probabilities: number[]): Scores => ({
  ids: probabilities.map((_, id) => token(id)),
  logprobs: probabilities.map(Math.log),
  rest: Math.max(0, 1 - probabilities.reduce((sum, one) => sum + one, 0)),
});

function shares(of: Scores, options: { temperature: number; top_p: number }, count = 20_000): number[] {
  const random = seededRandom(11);
  const counts = of.ids.map(() => 0);
  for (let i = 0; i < count; i++) {
    const drawn = choose(of, undefined, options, random, false).token!;
    counts[drawn] = counts[drawn]! + 1;
  }
  return counts.map((one) => one / count);
}

test('draws tokens according to their probabilities at any temperature', () => {
  const given = scores(0.6, 0.3, 0.1);
  for (const [index, share] of shares(given, { temperature: 1, top_p: 1 }).entries()) {
    expect(share).toBeCloseTo([0.6, 0.3, 0.1][index]!, 1);
  }
  const [sharp] = shares(given, { temperature: 0.5, top_p: 1 });
  expect(sharp).toBeCloseTo(0.36 / 0.46, 1);
  expect(shares(given, { temperature: 0, top_p: 1 })).toEqual([1, 0, 0]);
});

test('top_p keeps the fewest most likely tokens with that sum', () => {
  expect(shares(scores(0.6, 0.3, 0.1), { temperature: 1, top_p: 0.6 })[1]).toBe(0);
  const [first, second, third] = shares(scores(0.6, 0.3, 0.1), { temperature: 1, top_p: 0.7 });
  expect(first).toBeCloseTo(2 / 3, 1);
  expect(second).toBeCloseTo(1 / 3, 1);
  expect(third).toBe(0);
});

test('log probabilities are those of the whole vocabulary; only the most likely are listed', () => {
  const logits = new Map([
    [token(4), 3],
    [token(9), 2],
  ]);
  const { ids, logprobs } = scoresOf({ logits, totalWeight: 1 + Math.exp(-1) + 0.5 }, new Map());
  expect(ids).toEqual([4, 9]);
  expect(Math.exp(logprobs[0]!)).toBeCloseTo(1 / (1 + Math.exp(-1) + 0.5));
  expect(logprobs[0]! - logprobs[1]!).toBeCloseTo(1);
});

test('applies a bias that llama.cpp does not apply, and normalizes again', () => {
  const logits = new Map([
    [token(4), 3],
    [token(9), 2],
  ]);
  const { ids, logprobs } = scoresOf({ logits, totalWeight: 1 + Math.exp(-1) }, new Map([[token(9), 5]]));
  expect(ids).toEqual([9, 4]);
  expect(Math.exp(logprobs[0]!) + Math.exp(logprobs[1]!)).toBeCloseTo(1);
  expect(logprobs[0]! - logprobs[1]!).toBeCloseTo(4);
});

test('the probability of banned tokens is distributed to the others', () => {
  const left = allowed(scores(0.5, 0.25, 0.125, 0.125), (id) => id !== token(0));
  expect(left?.ids).toEqual([1, 2, 3]);
  expect(left?.logprobs.map(Math.exp)[0]).toBeCloseTo(0.5);
  expect(allowed(scores(0.5, 0.5), () => false)).toBeUndefined();
});

test('draws the least likely token if no other one is allowed', () => {
  const left = allowed({ ids: [token(0), token(1)], logprobs: [0, -800], rest: 0 }, (id) => id === token(1));
  expect(left).toEqual({ ids: [1], logprobs: [0], rest: 0 });
});

test('the same seed gives the same numbers, distributed over 0 to 1', () => {
  const [one, same, other] = [seededRandom(5), seededRandom(5), seededRandom(6)];
  const numbers = Array.from({ length: 1000 }, one);
  expect(Array.from({ length: 1000 }, same)).toEqual(numbers);
  expect(other()).not.toBe(numbers[0]);
  expect(Math.min(...numbers)).toBeLessThan(0.01);
  expect(Math.max(...numbers)).toBeGreaterThan(0.99);
  expect(Math.max(...numbers)).toBeLessThan(1);
  expect(seededRandom(-3)()).not.toBe(seededRandom(3)());
});

test('the tokens that top_p leaves are found in a part of the scores if the other tokens cannot change them', () => {
  const some = scores(0.5, 0.3, 0.1);
  expect(nucleus(some, 0.5, [0.1, 0.1])?.ids).toEqual([0]);
  expect(nucleus(some, 0.75, [0.1, 0.1])?.ids).toEqual([0, 1]);
  expect(nucleus(some, 0.85, [0.1, 0.1])?.ids).toEqual([0, 1, 2]);
  expect(nucleus(some, 0.95, [0.1, 0.1])).toBe(undefined);
  // Without the others, the first two have 0.89 of the probability.
  expect(nucleus(some, 0.85, [0, 0.1])).toBe(undefined);
  expect(nucleus(some, 0.7, [0, 0.1])?.ids).toEqual([0, 1]);
});
