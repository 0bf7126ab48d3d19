import { expect, test } from 'vitest';
import type { CompletionUsage } from '@modelwire/schema/types';
import { boundUsage } from './bound-usage.ts';

const bounds = { maxPromptTokens: 100, maxCompletionTokens: 5 };
const usage = (prompt_tokens: number, completion_tokens: number, total_tokens: number): CompletionUsage => ({
  prompt_tokens,
  completion_tokens,
  total_tokens,
});

test.each([
  ['within the bounds', usage(7, 3, 10), usage(7, 3, 10)],
  ['at the bounds', usage(100, 5, 105), usage(100, 5, 105)],
  ['above them', usage(2 ** 53 - 1, 2 ** 53 - 1, 2 ** 53 - 1), usage(100, 5, 105)],
  ['without end', usage(Infinity, 1e300, 1), usage(100, 5, 105)],
  ['negative', usage(-5, -1, -6), usage(0, 0, 0)],
  ['fractions', usage(7.9, 3.2, 11.1), usage(7, 3, 10)],
  ['not numbers', usage(Number.NaN, Number.NaN, Number.NaN), usage(0, 0, 0)],
  ['with another total', usage(7, 3, 5000), usage(7, 3, 10)],
])('usage %s', (_, reported, expected) => {
  expect(boundUsage(reported, bounds)).toEqual(expected);
});

test('details are at most the count that they are part of; other fields are unchanged', () => {
  const reported = {
    ...usage(7, 3, 10),
    prompt_tokens_details: { cached_tokens: 2 ** 60, audio_tokens: -1 },
    completion_tokens_details: { reasoning_tokens: 9, audio_tokens: 1.5 },
    cost: 0.25,
  };
  expect(boundUsage(reported, bounds)).toEqual({
    ...usage(7, 3, 10),
    prompt_tokens_details: { cached_tokens: 7, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 3, audio_tokens: 1 },
    cost: 0.25,
  });
});
