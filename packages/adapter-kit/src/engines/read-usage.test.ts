import { expect, test } from 'vitest';
import { readTokenCounts, readUsage } from './read-usage.ts';

const counted = (
  prompt_tokens: number,
  completion_tokens: number,
  total_tokens = prompt_tokens + completion_tokens,
) => ({
  prompt_tokens,
  completion_tokens,
  total_tokens,
});

test.each([
  ['no total', { prompt_tokens: 7, completion_tokens: 3 }, counted(7, 3)],
  ['no completion', { prompt_tokens: 7, total_tokens: 10 }, counted(7, 3)],
  ['a completion that is null', { prompt_tokens: 7, completion_tokens: null, total_tokens: 10 }, counted(7, 3)],
  ['no prompt', { completion_tokens: 3, total_tokens: 10 }, counted(7, 3)],
  ['the prompt alone', { prompt_tokens: 7 }, counted(7, 0)],
  ['the completion alone', { completion_tokens: 3 }, counted(0, 3)],
  ['the total alone', { total_tokens: 12 }, counted(12, 0)],
  ['a total that includes more', { prompt_tokens: 7, completion_tokens: 3, total_tokens: 15 }, counted(7, 3, 15)],
])('completes a usage with %s', (_, usage, expected) => {
  expect(readUsage(usage)).toMatchObject(expected);
});

test('reads the names of the Responses API and of the Messages API', () => {
  expect(readUsage({ input_tokens: 7, output_tokens: 3 })).toMatchObject(counted(7, 3));
  const messages = { input_tokens: 10, cache_read_input_tokens: 90, cache_creation_input_tokens: 5, output_tokens: 3 };
  expect(readTokenCounts(messages)).toEqual({ ...counted(105, 3), prompt_tokens_details: { cached_tokens: 90 } });
});

test('keeps fields that are not in the API', () => {
  const usage = { ...counted(1, 2), cost: 0.25, prompt_tokens_details: null };
  expect(readUsage(usage)).toEqual(usage);
});

test.each([
  [undefined],
  [null],
  [5],
  [[]],
  [{}],
  [{ type: 'duration', seconds: 3 }],
  [{ prompt_tokens: -1, completion_tokens: 2 }],
  [{ prompt_tokens: 1, completion_tokens: 0.5 }],
  [{ prompt_tokens: 1, completion_tokens: 2, total_tokens: -3 }],
  [{ prompt_tokens: 1, completion_tokens: 1e300 }],
  [{ prompt_tokens: '1', completion_tokens: 2 }],
  [{ prompt_tokens: 1, completion_tokens: 2, completion_tokens_details: { reasoning_tokens: -1 } }],
])('is undefined for %j', (value) => {
  expect(readUsage(value)).toBeUndefined();
});
