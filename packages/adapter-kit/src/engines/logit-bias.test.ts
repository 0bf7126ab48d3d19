import { expect, test } from 'vitest';
import { biasedTokens } from './logit-bias.ts';

const isToken = (id: number): boolean => id >= 0 && id < 300;

test('returns the tokens with their amounts', () => {
  expect(biasedTokens({ '0': -100, '299': 3 }, isToken, '0 to 299')).toEqual([
    [0, -100],
    [299, 3],
  ]);
});

test('the tokens have the type of the type guard, if there is one', () => {
  const isZero = (id: number): id is 0 => id === 0;
  const tokens: readonly (readonly [id: 0, amount: number])[] = biasedTokens({ '0': 5 }, isZero, '0');
  expect(tokens).toEqual([[0, 5]]);
});

test.each(['300', '-1', '1.5', '1e2', 'x', '', ' 1', '12345678'])('refuses %j, which is not a token', (key) => {
  expect(() => biasedTokens({ [key]: 1 }, isToken, '0 to 299')).toThrow(
    expect.objectContaining({
      ...{ status: 400, param: 'logit_bias' },
      message: `logit_bias: '${key}' is not a token of this model. Its tokens are 0 to 299.`,
    }),
  );
});
