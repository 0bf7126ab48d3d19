import { expect, test } from 'vitest';
import { createPrices } from './prices.ts';

const usage = (prompt: number, completion: number, cached = 0, reasoning = 0) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
  prompt_tokens_details: { cached_tokens: cached },
  completion_tokens_details: { reasoning_tokens: reasoning },
});

test('charges cached and reasoning tokens at their own prices, the others at those of input and output', () => {
  const price = { input: 3, cachedInput: 0.3, output: 15, reasoning: 20, request: 0.001 };
  const { costOf } = createPrices({ models: { large: price } });
  expect(costOf('large', usage(1000, 200, 400, 50))).toBe(600 * 3 + 400 * 0.3 + 150 * 15 + 50 * 20 + 1000);
});

test('charges cached and reasoning tokens without a price like other tokens, and a model that is not listed at the price of `*`', () => {
  const { costOf } = createPrices({ models: { '*': { input: 2, output: 4 } } });
  expect(costOf('any', usage(10, 5, 10, 5))).toBe(40);
  expect(costOf('any', undefined)).toBe(0);
  expect(createPrices({ models: {} }).costOf('any', usage(1, 1))).toBeUndefined();
});

test('charges videos by the second, and those of a model without `videoSecond` have no price', () => {
  const models = { film: { videoSecond: 0.1, request: 0.5 }, chat: { input: 1, output: 1 } };
  const { costOf, costOfVideo } = createPrices({ models });
  expect(costOfVideo('film', 8)).toBe(1_300_000);
  expect(costOfVideo('chat', 8)).toBeUndefined();
  expect(costOf('film', usage(10, 10))).toBe(500_000);
});

test('agrees with exact arithmetic to the cent over 10,000 requests', () => {
  const { costOf } = createPrices({ models: { small: { input: 0.15, cachedInput: 0.075, output: 0.6 } } });
  let charged = 0;
  // Billionths of the currency, where each price is an integer.
  let exact = 0n;
  for (let request = 0; request < 10_000; request++) {
    const [prompt, completion, cached] = [(request * 37) % 4001, (request * 53) % 997, (request * 11) % 301];
    const used = usage(prompt, completion, Math.min(cached, prompt));
    charged += costOf('small', used) ?? 0;
    const read = BigInt(Math.min(cached, prompt));
    exact += (BigInt(prompt) - read) * 150n + read * 75n + BigInt(completion) * 600n;
  }
  expect(Math.abs(charged / 1e6 - Number(exact) / 1e9)).toBeLessThan(0.005);
});

test.each([-1, Number.NaN, 1e9])('refuses the price %d', (input) => {
  expect(() => createPrices({ models: { m: { input, output: 1 } } })).toThrow("'input' of the model 'm'");
});
