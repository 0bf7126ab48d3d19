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

function of(
  sampling: Partial<Sampling> = {},
  used = new Map<number, number>(),
  p: ReadonlyMap<number, number> = expected,
): Distribution {
  return new Distribution(p, { ...plain, ...sampling }, used);
}
const logprob = (distribution: Distribution, id: number): number =>
  distribution.top(vocabularySize).find((one) => one.id === id)?.logprob ?? NaN;
const bias = (...entries: (readonly [number, number])[]) => ({ bias: new Map(entries) });

function draws(distribution: Distribution, sampling: Partial<Sampling>, count: number): Map<number, number> {
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
  test('gives every token of the vocabularySize a probability, 1 in all', () => {
    const distribution = of({ ...bias([3, 4]) }, new Map([[7, 2]]));
    const all = distribution.top(vocabularySize);
    expect(new Set(all.map(({ id }) => id)).size).toBe(vocabularySize);
    expect(all.reduce((sum, { logprob }) => sum + Math.exp(logprob), 0)).toBeCloseTo(1, 9);
    expect(all.every(({ logprob }, i) => logprob <= (all[i - 1]?.logprob ?? 0))).toBe(true);
  });

  test('gives each token its expected probability, and the uniform share to all others', () => {
    const distribution = of();
    expect(Math.exp(logprob(distribution, 500))).toBeCloseTo(0.5, 5);
    expect(Math.exp(logprob(distribution, endOfText))).toBeCloseTo(0.05, 5);
    expect(Math.exp(logprob(distribution, 123)) * vocabularySize).toBeCloseTo(uniformShare, 9);
  });

  test('draws tokens as often as they are likely', () => {
    // 16.3 with 3 degrees of freedom has a chance of 1 in 1,000.
    expect(deviation(draws(of(), {}, 20_000), expected, 20_000)).toBeLessThan(16.3);
  });

  test('raises probabilities to the power of 1 / temperature', () => {
    const flat = new Map([...expected].map(([id, p]) => [id, p ** (1 / 1.7)]));
    // The uniform share grows with temperature too; a draw of it counts for no token here.
    const others = vocabularySize * (uniformShare / vocabularySize) ** (1 / 1.7);
    const total = [...flat.values()].reduce((sum, p) => sum + p, 0) + others;
    const p = new Map([...flat].map(([id, share]) => [id, share / total]));
    expect(deviation(draws(of(), { temperature: 1.7 }, 20_000), p, 20_000)).toBeLessThan(16.3);
  });

  test('takes the likeliest token at temperature 0, of equal ones the lower ID', () => {
    expect([...draws(of(), { temperature: 0 }, 50).keys()]).toEqual([500]);
    const even = of({}, new Map(), new Map([[9, 0.5], [4, 0.5]])); // prettier-ignore
    expect(even.sample({ ...plain, temperature: 0 }, seededRandom('x'))).toBe(4);
  });

  test('draws only from the likeliest tokens that hold top_p together', () => {
    expect([...draws(of(), { topP: 0.4 }, 500).keys()]).toEqual([500]);
    expect([...draws(of(), { topP: 0 }, 500).keys()]).toEqual([500]);
    expect([...draws(of(), { topP: 0.6 }, 5000).keys()].sort((a, b) => a - b)).toEqual([7, 500]);
    const p = new Map([[500, 0.625], [7, 0.375]]); // prettier-ignore
    expect(deviation(draws(of(), { topP: 0.6 }, 20_000), p, 20_000)).toBeLessThan(10.8);
  });

  test('never draws an unlikely token up to temperature 1, for any random number', () => {
    for (const temperature of [0.1, 0.7, 1]) {
      const ids = Array.from({ length: 1000 }, (_, i) =>
        of().sample({ ...plain, temperature }, () => 1 - 2 ** -53 * i),
      );
      expect(ids.every((id) => expected.has(id))).toBe(true);
    }
    const rare = new Map([[500, 1 - minP / 2], [7, minP / 2]]); // prettier-ignore
    expect(of({}, new Map(), rare).sample(plain, () => 1 - 2 ** -53)).toBe(500);
    expect(expected.has(of().sample({ ...plain, temperature: 2 }, () => 1 - 2 ** -53))).toBe(false);
  });

  test('reaches the other tokens where top_p does', () => {
    const only = of(bias([500, -100]), new Map(), new Map([[500, 1]]));
    const drawn = [...draws(only, { topP: 0.5 }, 2000).keys()];
    expect(drawn.length).toBeGreaterThan(1900);
    expect(drawn.every((id) => id < vocabularySize / 2 + 2)).toBe(true);
  });

  test('adds bias to logits: -100 bans, +100 forces, 1 makes e times as likely', () => {
    expect(draws(of({ ...bias([500, -100]) }), {}, 3000).has(500)).toBe(false);
    expect([...draws(of({ ...bias([42, 100]) }), {}, 3000).keys()]).toEqual([42]);
    const before = of();
    const after = of({ ...bias([7, 1]) });
    const odds = (d: Distribution): number => logprob(d, 7) - logprob(d, 500);
    expect(odds(after) - odds(before)).toBeCloseTo(1, 9);
  });

  test('lowers the logit of a said token by presence_penalty once and by frequency_penalty each time', () => {
    const odds = (d: Distribution): number => logprob(d, 7) - logprob(d, 500);
    const before = odds(of());
    const said = new Map([[7, 3]]);
    expect(odds(of({ presencePenalty: 0.5 }, said)) - before).toBeCloseTo(-0.5, 9);
    expect(odds(of({ frequencyPenalty: 0.5 }, said)) - before).toBeCloseTo(-1.5, 9);
    expect(odds(of({ frequencyPenalty: -2, presencePenalty: -1 }, said)) - before).toBeCloseTo(7, 9);
  });

  test('lists the other tokens after the expected ones, lowest ID first, and the banned last', () => {
    expect(
      of()
        .top(8)
        .map(({ id }) => id),
    ).toEqual([500, 7, 9000, endOfText, 0, 1, 2, 3]);
    const banned = of({ ...bias([0, -100]) }).top(vocabularySize);
    expect(banned.at(-1)?.id).toBe(0);
    expect(banned[4]?.id).toBe(1);
  });

  test('draws every other token by chance where the expected ones are banned, and none of those', () => {
    const distribution = of({ ...bias([500, -100], [7, -100], [9000, -100], [endOfText, -100], [0, -100], [textTokens - 1, -100]) }); // prettier-ignore
    const corner = (x: number): number => distribution.sample(plain, () => x);
    expect(corner(1e-12)).toBe(1);
    expect(corner(1 - 2 ** -53)).toBe(textTokens - 2);
    expect([...draws(distribution, {}, 3000).keys()].some((id) => expected.has(id) || id === 0)).toBe(false);
  });

  test('holds many tokens of their own', () => {
    const many = new Map(Array.from({ length: 300 }, (_, i) => [i * 3, 1 / 300]));
    const distribution = of(
      { presencePenalty: 1 },
      new Map(Array.from({ length: 300 }, (_, i) => [i * 3 + 1, 1])),
      many,
    );
    expect(distribution.top(vocabularySize).reduce((sum, { logprob }) => sum + Math.exp(logprob), 0)).toBeCloseTo(1, 9);
  });
});

describe('where not all tokens are allowed', () => {
  const isAllowed = (id: number): boolean => [5, 9, 40].includes(id);
  const held = (sampling: Partial<Sampling> = {}): Distribution => {
    const expected = new Map([[7, 0.5], [9, 0.3], [40, 0.1], [endOfText, 0.1]]); // prettier-ignore
    return new Distribution(expected, { ...plain, ...sampling }, new Map(), isAllowed);
  };

  test('only allowed tokens that are expected or biased have a probability, 1 in all', () => {
    const top = held(bias([5, 1], [6, 1])).top(20);
    expect(top.map(({ id }) => id)).toEqual([9, 40, 5]);
    expect(top.reduce((sum, { logprob }) => sum + Math.exp(logprob), 0)).toBeCloseTo(1, 12);
    expect(Math.exp(top[0]?.logprob ?? 0)).toBeCloseTo(0.75, 5);
  });

  test('neither temperature, bias nor a small top_p draws another', () => {
    const wild = { ...plain, temperature: 1000 };
    expect([0, 0.2, 0.7, 0.99].map((chance) => held().sample(wild, () => chance))).toEqual([9, 9, 40, 40]);
    expect(held(bias([7, 100])).sample({ ...plain, temperature: 0 }, () => 0)).toBe(9);
    const against = { ...plain, temperature: 0, ...bias([9, -100], [40, -100]) };
    expect(held(against).sample(against, () => 0)).toBe(9);
    expect(held().sample({ ...plain, topP: 0.01 }, () => 0.99)).toBe(9);
  });
});
