import { describe, expect, test } from 'vitest';
import { Distribution, minP, uniformShare } from './distribution.ts';
import type { Sampling } from './distribution.ts';
import { seededRandom } from '../random.ts';
import { endOfText, textTokens, vocabularySize } from '../tokens/tokenizer.ts';

const plain: Sampling = { temperature: 1, topP: 1, frequencyPenalty: 0, presencePenalty: 0, bias: new Map() };
const expected = new Map([
  [500, 0.5],
  [7, 0.3],
  [9000, 0.15],
  [endOfText, 0.05],
]);

function createDistribution(
  sampling: Partial<Sampling> = {},
  used = new Map<number, number>(),
  p: ReadonlyMap<number, number> = expected,
): Distribution {
  return new Distribution(p, { ...plain, ...sampling }, used);
}
const logprob = (distribution: Distribution, id: number): number =>
  distribution.top(vocabularySize).find((one) => one.id === id)?.logprob ?? NaN;
const bias = (...entries: (readonly [number, number])[]) => ({ bias: new Map(entries) });

function sampleCounts(distribution: Distribution, sampling: Partial<Sampling>, count: number): Map<number, number> {
  const random = seededRandom('distribution test');
  const counts = new Map<number, number>();
  for (let i = 0; i < count; i++) {
    const id = distribution.sample({ ...plain, ...sampling }, random);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

/** Chi square of the counts against the probabilities. */
function deviation(counts: ReadonlyMap<number, number>, p: ReadonlyMap<number, number>, count: number): number {
  return [...p].reduce((sum, [id, share]) => sum + ((counts.get(id) ?? 0) - share * count) ** 2 / (share * count), 0);
}

describe('the distribution', () => {
  test('gives every token of the vocabulary a probability; the sum is 1', () => {
    const distribution = createDistribution({ ...bias([3, 4]) }, new Map([[7, 2]]));
    const all = distribution.top(vocabularySize);
    expect(new Set(all.map(({ id }) => id)).size).toBe(vocabularySize);
    expect(all.reduce((sum, { logprob }) => sum + Math.exp(logprob), 0)).toBeCloseTo(1, 9);
    expect(all.every(({ logprob }, i) => logprob <= (all[i - 1]?.logprob ?? 0))).toBe(true);
  });

  test('gives each token its expected probability, and the uniform share to all others', () => {
    const distribution = createDistribution();
    expect(Math.exp(logprob(distribution, 500))).toBeCloseTo(0.5, 5);
    expect(Math.exp(logprob(distribution, endOfText))).toBeCloseTo(0.05, 5);
    expect(Math.exp(logprob(distribution, 123)) * vocabularySize).toBeCloseTo(uniformShare, 9);
  });

  test('samples tokens with their probabilities', () => {
    // Chi square with 3 degrees of freedom: the probability of more than 16.3 is 1 in 1,000.
    expect(deviation(sampleCounts(createDistribution(), {}, 20_000), expected, 20_000)).toBeLessThan(16.3);
  });

  test('raises probabilities to the power of 1 / temperature', () => {
    const flat = new Map([...expected].map(([id, p]) => [id, p ** (1 / 1.7)]));
    // The uniform share grows with temperature, too; samples from it are not counted here.
    const others = vocabularySize * (uniformShare / vocabularySize) ** (1 / 1.7);
    const total = [...flat.values()].reduce((sum, p) => sum + p, 0) + others;
    const p = new Map([...flat].map(([id, share]) => [id, share / total]));
    expect(deviation(sampleCounts(createDistribution(), { temperature: 1.7 }, 20_000), p, 20_000)).toBeLessThan(16.3);
  });

  test('selects the most likely token at temperature 0; of equal ones, that with the lower ID', () => {
    expect([...sampleCounts(createDistribution(), { temperature: 0 }, 50).keys()]).toEqual([500]);
    const even = createDistribution({}, new Map(), new Map([[9, 0.5], [4, 0.5]])); // prettier-ignore
    expect(even.sample({ ...plain, temperature: 0 }, seededRandom('x'))).toBe(4);
  });

  test('samples only from the most likely tokens with a total probability of top_p', () => {
    expect([...sampleCounts(createDistribution(), { topP: 0.4 }, 500).keys()]).toEqual([500]);
    expect([...sampleCounts(createDistribution(), { topP: 0 }, 500).keys()]).toEqual([500]);
    expect([...sampleCounts(createDistribution(), { topP: 0.6 }, 5000).keys()].sort((a, b) => a - b)).toEqual([7, 500]);
    const p = new Map([[500, 0.625], [7, 0.375]]); // prettier-ignore
    expect(deviation(sampleCounts(createDistribution(), { topP: 0.6 }, 20_000), p, 20_000)).toBeLessThan(10.8);
  });

  test('never samples an unlikely token up to temperature 1, for any random number', () => {
    for (const temperature of [0.1, 0.7, 1]) {
      const ids = Array.from({ length: 1000 }, (_, i) =>
        createDistribution().sample({ ...plain, temperature }, () => 1 - 2 ** -53 * i),
      );
      expect(ids.every((id) => expected.has(id))).toBe(true);
    }
    const rare = new Map([[500, 1 - minP / 2], [7, minP / 2]]); // prettier-ignore
    expect(createDistribution({}, new Map(), rare).sample(plain, () => 1 - 2 ** -53)).toBe(500);
    expect(expected.has(createDistribution().sample({ ...plain, temperature: 2 }, () => 1 - 2 ** -53))).toBe(false);
  });

  test('samples other tokens if top_p includes them', () => {
    const only = createDistribution(bias([500, -100]), new Map(), new Map([[500, 1]]));
    const sampledIds = [...sampleCounts(only, { topP: 0.5 }, 2000).keys()];
    expect(sampledIds.length).toBeGreaterThan(1900);
    expect(sampledIds.every((id) => id < vocabularySize / 2 + 2)).toBe(true);
  });

  test('adds bias to logits: -100 excludes, +100 forces, 1 multiplies the probability by e', () => {
    expect(sampleCounts(createDistribution({ ...bias([500, -100]) }), {}, 3000).has(500)).toBe(false);
    expect([...sampleCounts(createDistribution({ ...bias([42, 100]) }), {}, 3000).keys()]).toEqual([42]);
    const before = createDistribution();
    const after = createDistribution({ ...bias([7, 1]) });
    const logOdds = (d: Distribution): number => logprob(d, 7) - logprob(d, 500);
    expect(logOdds(after) - logOdds(before)).toBeCloseTo(1, 9);
  });

  test('lowers the logit of a generated token by presence_penalty once and by frequency_penalty for each occurrence', () => {
    const logOdds = (d: Distribution): number => logprob(d, 7) - logprob(d, 500);
    const before = logOdds(createDistribution());
    const generatedCounts = new Map([[7, 3]]);
    expect(logOdds(createDistribution({ presencePenalty: 0.5 }, generatedCounts)) - before).toBeCloseTo(-0.5, 9);
    expect(logOdds(createDistribution({ frequencyPenalty: 0.5 }, generatedCounts)) - before).toBeCloseTo(-1.5, 9);
    expect(
      logOdds(createDistribution({ frequencyPenalty: -2, presencePenalty: -1 }, generatedCounts)) - before,
    ).toBeCloseTo(7, 9);
  });

  test('lists the other tokens after the expected ones, lowest ID first, and the excluded ones last', () => {
    expect(
      createDistribution()
        .top(8)
        .map(({ id }) => id),
    ).toEqual([500, 7, 9000, endOfText, 0, 1, 2, 3]);
    const topTokens = createDistribution({ ...bias([0, -100]) }).top(vocabularySize);
    expect(topTokens.at(-1)?.id).toBe(0);
    expect(topTokens[4]?.id).toBe(1);
  });

  test('samples uniformly from the other tokens if the expected ones are excluded', () => {
    const distribution = createDistribution({ ...bias([500, -100], [7, -100], [9000, -100], [endOfText, -100], [0, -100], [textTokens - 1, -100]) }); // prettier-ignore
    const corner = (x: number): number => distribution.sample(plain, () => x);
    expect(corner(1e-12)).toBe(1);
    expect(corner(1 - 2 ** -53)).toBe(textTokens - 2);
    expect([...sampleCounts(distribution, {}, 3000).keys()].some((id) => expected.has(id) || id === 0)).toBe(false);
  });

  test('supports many biased tokens', () => {
    const many = new Map(Array.from({ length: 300 }, (_, i) => [i * 3, 1 / 300]));
    const distribution = createDistribution(
      { presencePenalty: 1 },
      new Map(Array.from({ length: 300 }, (_, i) => [i * 3 + 1, 1])),
      many,
    );
    expect(distribution.top(vocabularySize).reduce((sum, { logprob }) => sum + Math.exp(logprob), 0)).toBeCloseTo(1, 9);
  });
});

describe('if not all tokens are allowed', () => {
  const isAllowed = (id: number): boolean => [5, 9, 40].includes(id);
  const constrainedDistribution = (sampling: Partial<Sampling> = {}): Distribution => {
    const expected = new Map([[7, 0.5], [9, 0.3], [40, 0.1], [endOfText, 0.1]]); // prettier-ignore
    return new Distribution(expected, { ...plain, ...sampling }, new Map(), isAllowed);
  };

  test('only allowed tokens that are expected or biased have a probability; the sum is 1', () => {
    const top = constrainedDistribution(bias([5, 1], [6, 1])).top(20);
    expect(top.map(({ id }) => id)).toEqual([9, 40, 5]);
    expect(top.reduce((sum, { logprob }) => sum + Math.exp(logprob), 0)).toBeCloseTo(1, 12);
    expect(Math.exp(top[0]?.logprob ?? 0)).toBeCloseTo(0.75, 5);
  });

  test('neither temperature, bias nor a small top_p selects another token', () => {
    const highTemperature = { ...plain, temperature: 1000 };
    expect(
      [0, 0.2, 0.7, 0.99].map((chance) => constrainedDistribution().sample(highTemperature, () => chance)),
    ).toEqual([9, 9, 40, 40]);
    expect(constrainedDistribution(bias([7, 100])).sample({ ...plain, temperature: 0 }, () => 0)).toBe(9);
    const against = { ...plain, temperature: 0, ...bias([9, -100], [40, -100]) };
    expect(constrainedDistribution(against).sample(against, () => 0)).toBe(9);
    expect(constrainedDistribution().sample({ ...plain, topP: 0.01 }, () => 0.99)).toBe(9);
  });
});
