import { expect, test } from 'vitest';
import { addUsage } from './usage.ts';

test('adds usage field by field, and details by name', () => {
  const one = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
  const two = {
    prompt_tokens: 10,
    completion_tokens: 20,
    total_tokens: 30,
    prompt_tokens_details: { cached_tokens: 4, toString: 5 },
  };
  const sum = { prompt_tokens: 11, completion_tokens: 22, total_tokens: 33 };
  expect(addUsage(one, undefined)).toEqual(one);
  expect(addUsage(one, two)).toEqual({ ...sum, prompt_tokens_details: two.prompt_tokens_details });
  expect(addUsage(addUsage(one, two), two).prompt_tokens_details).toEqual({ cached_tokens: 8, toString: 10 });
});
