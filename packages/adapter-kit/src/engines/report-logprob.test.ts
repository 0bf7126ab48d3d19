import { expect, test } from 'vitest';
import { reportLogprob } from './report-logprob.ts';

const ranked = { ids: Array.from({ length: 30 }, (_, id) => id), logprobs: Array.from({ length: 30 }, (_, id) => -id) };
const report = (chosen: number, count: number) =>
  reportLogprob(ranked, chosen, count, (id) => ({ token: `t${id}`, bytes: [id] }));

test('reports a chosen token and the most likely ones', () => {
  expect(report(3, 2)).toEqual({
    ...{ token: 't3', bytes: [3], logprob: -3 },
    top_logprobs: [
      { token: 't0', bytes: [0], logprob: -0 },
      { token: 't1', bytes: [1], logprob: -1 },
    ],
  });
});

test('the log probability of a token that is not one of the 20 most likely ones is -9999', () => {
  expect([19, 20, 99].map((chosen) => report(chosen, 0).logprob)).toEqual([-19, -9999, -9999]);
});
