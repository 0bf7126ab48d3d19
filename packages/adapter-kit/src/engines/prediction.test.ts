import { expect, test } from 'vitest';
import { trackPrediction } from './prediction.ts';

const numbers = Array.from({ length: 100 }, (_, id) => id);

/** Compares a reply with a prediction and returns the lengths of the drafts. */
function compare(reply: readonly number[], draftLength: (match: number) => number, predicted = numbers) {
  const counts = { accepted: 0, rejected: 0 };
  const prediction = trackPrediction(predicted, counts, draftLength);
  const drafts: number[] = [];
  const taken = reply.map((id) => {
    if (prediction.pending === 0) drafts.push(prediction.draft().length);
    return prediction.take(id);
  });
  prediction.end();
  return { counts, taken, drafts };
}

test('a prediction resumes where the last two tokens occur in it', () => {
  const { counts, taken } = compare([0, 1, 200, 200, 4, 5, 6, 7], () => 16);
  expect(taken).toEqual([true, true, false, false, false, false, true, true]);
  expect(counts).toEqual({ accepted: 4, rejected: 28 });
});

test('the length of a draft depends on the number of predicted tokens before it', () => {
  const { drafts, counts } = compare([0, 1, 200, 30, 31, 32, 33, 34, 35], (match) => (match === 0 ? 1 : match - 1));
  expect(drafts).toEqual([1, 0, 1, 0, 0, 1, 2, 4]);
  expect(counts).toEqual({ accepted: 5, rejected: 4 });
});

test('a prediction resumes where the most of the last tokens occur, behind as well as ahead', () => {
  const predicted = [1, 2, 3, 4, 5, 9, 3, 4, 6];
  const resumed = (reply: readonly number[]) => {
    const prediction = trackPrediction(predicted, { accepted: 0, rejected: 0 }, () => 2);
    for (const id of reply) prediction.take(id);
    return prediction.draft();
  };
  expect(resumed([1, 2, 8, 3, 4])).toEqual([5, 9]);
  expect(resumed([1, 2, 3, 4, 5, 9, 8, 3, 4])).toEqual([6]);
  expect(resumed([1, 2, 3, 4, 5, 9, 3, 4, 8, 2, 3, 4])).toEqual([5, 9]);
});

test('a draft is not longer than its limit, and tokens that were not drafted are followed', () => {
  const counts = { accepted: 0, rejected: 0 };
  const { draft, take } = trackPrediction(numbers, counts, () => 16);
  expect(draft(-1)).toEqual([]);
  expect(take(0)).toBe(false);
  expect(draft(2)).toEqual([1, 2]);
  expect(take(1)).toBe(true);
  expect(draft(5)).toEqual([2]);
  expect(counts).toEqual({ accepted: 1, rejected: 0 });
});

test('a reply that can start anywhere in the prediction starts where the tokens before it are found', () => {
  const before = [7, 1, 2, 3, 7, 1, 2];
  const predicted = [...before];
  const { draft, take } = trackPrediction(predicted, { accepted: 0, rejected: 0 }, () => 3, before);
  expect(draft()).toEqual([3, 7, 1]);
  take(5);
  predicted.push(5);
  expect(draft()).toEqual([]);
});
