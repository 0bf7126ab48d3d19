import { describe, expect, test } from 'vitest';
import { commonShare, createDistribution, endShare, minP, samplingBias } from './distribution.ts';
import type { Distribution, Sampling } from './distribution.ts';
import { seededRandom } from '../random.ts';
import { endOfText } from '../tokens/tokenizer.ts';

const plain: Sampling = {
  temperature: 1,
  top_p: 1,
  frequency_penalty: 0,
  presence_penalty: 0,
  ...samplingBias([]),
};
const expected = new Map([
  [500, 0.5],
  [7, 0.3],
  [9000, 0.15],
  [endOfText, 0.05],
]);
const commonWords = Array.from({ length: 32 }, (_, i) => 1000 + i);

function distributionOf(
  sampling: Partial<Sampling> = {},
  used = new Map<number, number>(),
  p: ReadonlyMap<number, number> = expected,
): Distribution {
  return createDistribution(p, { ...plain, ...sampling }, used, commonWords);
}
/** All tokens, the likeliest first. */
const topOf = (distribution: Distribution) => {
  const { ids, logprobs } = distribution.ranked();
  return ids.map((id, rank) => ({ id, logprob: logprobs[rank] ?? NaN }));
};
const logprob = (distribution: Distribution, id: number): number =>
  topOf(distribution).find((one) => one.id === id)?.logprob ?? NaN;
const bias = (...entries: (readonly [number, number])[]) => samplingBias(entries);

function sampleCounts(sampling: Partial<Sampling>, count: number, p = expected): Map<number, number> {
  const random = seededRandom('distribution test');
  const distribution = distributionOf(sampling, new Map(), p);
  const counts = new Map<number, number>();
  for (let i = 0; i < count; i++) {
    const id = distribution.sample(random);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

/** Chi square of the counts against the probabilities. */
function deviation(counts: ReadonlyMap<number, number>, p: ReadonlyMap<number, number>, count: number): number {
  return [...p].reduce((sum, [id, share]) => sum + ((counts.get(id) ?? 0) - share * count) ** 2 / (share * count), 0);
}

describe('the distribution', () => {
  test('has the expected tokens, the end of the text, biased tokens and common words; the sum is 1', () => {
    const top = topOf(distributionOf(bias([3, 4]), new Map([[7, 2]]), new Map([[500, 1]])));
    expect(new Set(top.map(({ id }) => id))).toEqual(new Set([500, endOfText, 3, ...commonWords]));
    expect(top.reduce((sum, { logprob }) => sum + Math.exp(logprob), 0)).toBeCloseTo(1, 9);
    expect(top.every(({ logprob }, i) => logprob <= (top[i - 1]?.logprob ?? 0))).toBe(true);
  });

  test('gives each token its share', () => {
    const distribution = distributionOf();
    const total = 1 + commonWords.length * commonShare;
    expect(Math.exp(logprob(distribution, 500))).toBeCloseTo(0.5 / total, 9);
    expect(Math.exp(logprob(distribution, endOfText))).toBeCloseTo(0.05 / total, 9);
    expect(Math.exp(logprob(distribution, 1000))).toBeCloseTo(commonShare / total, 9);
    const continued = distributionOf({}, new Map(), new Map([[500, 1]]));
    expect(Math.exp(logprob(continued, endOfText))).toBeCloseTo(endShare / (total + endShare), 12);
  });

  test('lists the expected tokens first, and of equal ones that with the lower ID', () => {
    const { ids } = distributionOf(bias([1000, -100])).ranked();
    expect(ids.slice(0, 6)).toEqual([500, 7, 9000, endOfText, 1001, 1002]);
    expect(ids.at(-1)).toBe(1000);
  });

  test('samples tokens with their probabilities', () => {
    // Chi square with 3 degrees of freedom: the probability of more than 16.3 is 1 in 1,000.
    expect(deviation(sampleCounts({}, 20_000), expected, 20_000)).toBeLessThan(16.3);
  });

  test('raises probabilities to the power of 1 / temperature, and includes common words above 1', () => {
    const shares = [...expected, ...commonWords.map((id) => [id, commonShare] as const)];
    const flat = shares.map(([id, share]) => [id, share ** (1 / 1.7)] as const);
    const total = flat.reduce((sum, [, share]) => sum + share, 0);
    const p = new Map(flat.map(([id, share]) => [id, share / total]));
    // 35 degrees of freedom.
    expect(deviation(sampleCounts({ temperature: 1.7 }, 20_000), p, 20_000)).toBeLessThan(66.6);
  });

  test('selects the most likely token at temperature 0; of equal ones, that with the lower ID', () => {
    expect([...sampleCounts({ temperature: 0 }, 50).keys()]).toEqual([500]);
    expect([
      ...sampleCounts(
        { temperature: 0 },
        9,
        new Map([
          [9, 0.5],
          [4, 0.5],
        ]),
      ).keys(),
    ]).toEqual([4]);
  });

  test('samples only from the most likely tokens with a total probability of top_p', () => {
    expect([...sampleCounts({ top_p: 0.4 }, 500).keys()]).toEqual([500]);
    expect([...sampleCounts({ top_p: 0 }, 500).keys()]).toEqual([500]);
    expect([...sampleCounts({ top_p: 0.6 }, 5000).keys()].sort((a, b) => a - b)).toEqual([7, 500]);
    const p = new Map([
      [500, 0.625],
      [7, 0.375],
    ]);
    expect(deviation(sampleCounts({ top_p: 0.6 }, 20_000), p, 20_000)).toBeLessThan(10.8);
  });

  test('never samples an unlikely token up to temperature 1, for any random number', () => {
    const sampleAt = (temperature: number, place: number, p = expected): number =>
      distributionOf({ temperature }, new Map(), p).sample(() => place);
    for (const temperature of [0.1, 0.7, 1]) {
      const ids = Array.from({ length: 1000 }, (_, i) => sampleAt(temperature, 1 - 2 ** -53 * i));
      expect(ids.every((id) => expected.has(id))).toBe(true);
    }
    const rare = new Map([
      [500, 1 - minP / 2],
      [7, minP / 2],
    ]);
    expect(sampleAt(1, 1 - 2 ** -53, rare)).toBe(500);
    expect(expected.has(sampleAt(2, 1 - 2 ** -53))).toBe(false);
  });

  test('ends the text if the expected tokens are suppressed, and samples common words if the end is, too', () => {
    const next = new Map([[500, 1]]);
    expect([...sampleCounts(bias([500, -100]), 500, next).keys()]).toEqual([endOfText]);
    const ids = [...sampleCounts(bias([500, -100], [endOfText, -100], [1000, -100]), 3000, next).keys()];
    expect(ids.sort((a, b) => a - b)).toEqual(commonWords.slice(1));
  });

  test('adds bias to logits: -100 excludes, +100 forces, 1 multiplies the probability by e', () => {
    expect(sampleCounts(bias([500, -100]), 3000).has(500)).toBe(false);
    expect([...sampleCounts(bias([42, 100]), 3000).keys()]).toEqual([42]);
    const before = distributionOf();
    const after = distributionOf(bias([7, 1]));
    const logOdds = (d: Distribution): number => logprob(d, 7) - logprob(d, 500);
    expect(logOdds(after) - logOdds(before)).toBeCloseTo(1, 9);
  });

  test('a bias of 0 or less makes no other token likely, also with thousands of them', () => {
    const lowered = Array.from({ length: 5000 }, (_, i) => [20_000 + i, -i / 1000] as const);
    const ids = sampleCounts(bias(...lowered, [1000, -1]), 5000).keys();
    expect([...ids].every((id) => expected.has(id))).toBe(true);
  });

  test('tokens with a positive bias are penalised like others', () => {
    const raised = bias([42, 5], [43, 5]);
    const distribution = distributionOf({ ...raised, frequency_penalty: 1 }, new Map([[42, 2]]));
    expect(logprob(distribution, 43) - logprob(distribution, 42)).toBeCloseTo(2, 9);
  });

  test('lowers the logit of a generated token by presence_penalty once and by frequency_penalty for each occurrence', () => {
    const logOdds = (d: Distribution): number => logprob(d, 7) - logprob(d, 500);
    const before = logOdds(distributionOf());
    const generatedCounts = new Map([[7, 3]]);
    expect(logOdds(distributionOf({ presence_penalty: 0.5 }, generatedCounts)) - before).toBeCloseTo(-0.5, 9);
    expect(logOdds(distributionOf({ frequency_penalty: 0.5 }, generatedCounts)) - before).toBeCloseTo(-1.5, 9);
    expect(
      logOdds(distributionOf({ frequency_penalty: -2, presence_penalty: -1 }, generatedCounts)) - before,
    ).toBeCloseTo(7, 9);
  });
});
