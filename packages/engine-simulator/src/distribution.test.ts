import { describe, expect, test } from 'vitest';
import { Distribution, floorMass } from './distribution.ts';
import type { Allowance, Sampling } from './distribution.ts';
import { seededRandom } from './random.ts';
import { endOfText, textTokens, vocabulary } from './tokenizer.ts';

const plain: Sampling = { temperature: 1, topP: 1, frequencyPenalty: 0, presencePenalty: 0, bias: [] };
const expected = new Map([
  [500, 0.5],
  [7, 0.3],
  [9000, 0.15],
  [endOfText, 0.05],
]);

function bent(
  sampling: Partial<Sampling> = {},
  said = new Map<number, number>(),
  p: ReadonlyMap<number, number> = expected,
): Distribution {
  const distribution = new Distribution();
  for (const [id, share] of p) distribution.add(id, share);
  distribution.bend({ ...plain, ...sampling }, said);
  return distribution;
}

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
  test('gives every token of the vocabulary a probability, 1 in all', () => {
    const distribution = bent({ bias: [[3, 4]] }, new Map([[7, 2]]));
    const all = distribution.top(vocabulary);
    expect(new Set(all.map(({ id }) => id)).size).toBe(vocabulary);
    expect(all.reduce((sum, { logprob }) => sum + Math.exp(logprob), 0)).toBeCloseTo(1, 9);
    expect(all.every(({ logprob }, i) => logprob <= (all[i - 1]?.logprob ?? 0))).toBe(true);
  });

  test('says the probability that was expected, and the floor for all other tokens', () => {
    const distribution = bent();
    expect(Math.exp(distribution.logprob(500))).toBeCloseTo(0.5, 6);
    expect(Math.exp(distribution.logprob(endOfText))).toBeCloseTo(0.05, 6);
    expect(Math.exp(distribution.logprob(123)) * vocabulary).toBeCloseTo(floorMass, 9);
  });

  test('draws tokens as often as they are likely', () => {
    // 16.3 with 3 degrees of freedom has a chance of 1 in 1,000.
    expect(deviation(draws(bent(), {}, 20_000), expected, 20_000)).toBeLessThan(16.3);
  });

  test('raises probabilities to the power of 1 / temperature', () => {
    const flat = new Map([...expected].map(([id, p]) => [id, p ** (1 / 1.7)]));
    // The floor grows with temperature too; a draw of it counts for no token here.
    const floor = vocabulary * (floorMass / vocabulary) ** (1 / 1.7);
    const total = [...flat.values()].reduce((sum, p) => sum + p, 0) + floor;
    const p = new Map([...flat].map(([id, share]) => [id, share / total]));
    expect(deviation(draws(bent(), { temperature: 1.7 }, 20_000), p, 20_000)).toBeLessThan(16.3);
  });

  test('takes the likeliest token at temperature 0, of equal ones the lower id', () => {
    expect([...draws(bent(), { temperature: 0 }, 50).keys()]).toEqual([500]);
    const even = bent({}, new Map(), new Map([[9, 0.5], [4, 0.5]])); // prettier-ignore
    expect(even.sample({ ...plain, temperature: 0 }, seededRandom('x'))).toBe(4);
  });

  test('draws only from the likeliest tokens that hold top_p together', () => {
    expect([...draws(bent(), { topP: 0.4 }, 500).keys()]).toEqual([500]);
    expect([...draws(bent(), { topP: 0 }, 500).keys()]).toEqual([500]);
    expect([...draws(bent(), { topP: 0.6 }, 5000).keys()].sort((a, b) => a - b)).toEqual([7, 500]);
    const p = new Map([[500, 0.625], [7, 0.375]]); // prettier-ignore
    expect(deviation(draws(bent(), { topP: 0.6 }, 20_000), p, 20_000)).toBeLessThan(10.8);
  });

  test('goes down into the floor where top_p reaches it', () => {
    const only = bent({ bias: [[500, -100]] }, new Map(), new Map([[500, 1]]));
    const drawn = [...draws(only, { topP: 0.5 }, 2000).keys()];
    expect(drawn.length).toBeGreaterThan(1900);
    expect(drawn.every((id) => id < vocabulary / 2 + 2)).toBe(true);
  });

  test('adds bias to logits: -100 bans, +100 forces, 1 makes e times as likely', () => {
    expect(draws(bent({ bias: [[500, -100]] }), {}, 3000).has(500)).toBe(false);
    expect([...draws(bent({ bias: [[42, 100]] }), {}, 3000).keys()]).toEqual([42]);
    const before = bent();
    const after = bent({ bias: [[7, 1]] });
    const odds = (d: Distribution): number => d.logprob(7) - d.logprob(500);
    expect(odds(after) - odds(before)).toBeCloseTo(1, 9);
  });

  test('lowers the logit of a said token by presence_penalty once and by frequency_penalty each time', () => {
    const odds = (d: Distribution): number => d.logprob(7) - d.logprob(500);
    const before = odds(bent());
    const said = new Map([[7, 3]]);
    expect(odds(bent({ presencePenalty: 0.5 }, said)) - before).toBeCloseTo(-0.5, 9);
    expect(odds(bent({ frequencyPenalty: 0.5 }, said)) - before).toBeCloseTo(-1.5, 9);
    expect(odds(bent({ frequencyPenalty: -2, presencePenalty: -1 }, said)) - before).toBeCloseTo(7, 9);
  });

  test('fills the likeliest tokens up with those of the floor, lowest id first, and ends with the banned', () => {
    expect(
      bent()
        .top(8)
        .map(({ id }) => id),
    ).toEqual([500, 7, 9000, endOfText, 0, 1, 2, 3]);
    const banned = bent({ bias: [[0, -100]] }).top(vocabulary);
    expect(banned.at(-1)?.id).toBe(0);
    expect(banned[4]?.id).toBe(1);
  });

  test('reaches every floor token by chance, and none that has its own probability', () => {
    const distribution = bent({ bias: [[500, -100], [7, -100], [9000, -100], [endOfText, -100], [0, -100], [textTokens - 1, -100]] }); // prettier-ignore
    const corner = (x: number): number => distribution.sample(plain, () => x);
    expect(corner(1e-12)).toBe(1);
    expect(corner(1 - 2 ** -53)).toBe(textTokens - 2);
    expect([...draws(distribution, {}, 3000).keys()].some((id) => expected.has(id) || id === 0)).toBe(false);
  });

  test('holds more tokens of their own than it was made for', () => {
    const many = new Map(Array.from({ length: 300 }, (_, i) => [i * 3, 1 / 300]));
    const distribution = bent(
      { presencePenalty: 1 },
      new Map(Array.from({ length: 300 }, (_, i) => [i * 3 + 1, 1])),
      many,
    );
    expect(distribution.top(vocabulary).reduce((sum, { logprob }) => sum + Math.exp(logprob), 0)).toBeCloseTo(1, 9);
  });
});

describe('under a grammar', () => {
  const allowed = [5, 9, 40, 41, 42];
  const allowance = (end: boolean): Allowance & { counted: () => number } => {
    let counted = 0;
    return {
      has: (id) => (id === endOfText ? end : allowed.includes(id)),
      count: () => {
        counted++;
        return allowed.length + (end ? 1 : 0);
      },
      nth: (place) => allowed[place],
      counted: () => counted,
    };
  };
  function bent(sampling: Partial<Sampling> = {}, end = true): { held: Distribution; counted: () => number } {
    const held = new Distribution();
    const { counted, ...own } = allowance(end);
    held.clear();
    for (const [id, p] of [[7, 0.5], [9, 0.3], [40, 0.1], [endOfText, 0.1]] as const) held.add(id, p); // prettier-ignore
    held.bend({ ...plain, ...sampling }, new Map(), own);
    return { held, counted };
  }

  test('only what it allows has a probability, 1 in all, and all of it is listed', () => {
    const top = bent().held.top(20);
    expect(top.map(({ id }) => id)).toEqual([9, 40, endOfText, 5, 41, 42]);
    expect(top.reduce((sum, { logprob }) => sum + Math.exp(logprob), 0)).toBeCloseTo(1, 12);
    expect(Math.exp(top[0]?.logprob ?? 0)).toBeCloseTo(0.6, 6);
    expect(
      bent({}, false)
        .held.top(20)
        .map(({ id }) => id),
    ).toEqual([9, 40, 5, 41, 42]);
  });

  test('what is drawn is mostly known without counting what is allowed, and else counted', () => {
    const { held, counted } = bent();
    expect([0.1, 0.7, 0.95].map((chance) => held.sample(plain, () => chance))).toEqual([9, 40, endOfText]);
    expect(counted()).toBe(0);
    const hot = { ...plain, temperature: 1000 };
    expect([0, 0.2, 0.4, 0.6, 0.8, 0.99].map((chance) => held.sample(hot, () => chance))).toEqual([
      9,
      40,
      endOfText,
      5,
      41,
      42,
    ]);
    expect(counted()).toBeGreaterThan(0);
  });

  test('neither bias nor a small top_p lets through what it forbids', () => {
    expect(bent({ bias: [[7, 100]] }).held.sample({ ...plain, temperature: 0 }, () => 0)).toBe(9);
    const against = { ...plain, temperature: 0, bias: allowed.map((id) => [id, -100] as const) };
    expect(bent(against, false).held.sample(against, () => 0)).toBe(9);
    expect(bent({ topP: 0.01 }).held.sample({ ...plain, topP: 0.01 }, () => 0.99)).toBe(9);
  });
});
