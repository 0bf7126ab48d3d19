import { expect, test } from 'vitest';
import { RequestError } from '../../errors.ts';
import { BudgetExceeded } from '../../limits/budgets.ts';
import { createBudgetPause } from './budget-pause.ts';
import type { BatchPause } from '../../options/types.ts';

const refused = ({ isTemporary = false } = {}): RequestError =>
  new RequestError('no', { status: 429, cause: new BudgetExceeded({ id: 'budget_1', resetsAt: 86_400 }, isTemporary) });

function observed() {
  const pauses: BatchPause[] = [];
  const onBatchPause = (change: BatchPause) => void pauses.push(change);
  const pause = createBudgetPause({ batch: 'batch_1', project: 'shop' }, { onBatchPause, report: () => undefined });
  return { pauses, pause };
}

const paused = { batch: 'batch_1', project: 'shop', budget: 'budget_1', resetsAt: 86_400, isPaused: true };

test('a batch is paused once while its lines are refused by a budget, until one of them runs', () => {
  const { pauses, pause } = observed();
  pause.onReply(refused());
  expect(pauses).toEqual([]);
  for (const isWaiting of [true, false, true]) {
    pause.onWaiting(isWaiting);
    pause.onReply(refused());
  }
  expect(pauses).toEqual([paused]);
  pause.onReply(undefined);
  pause.onReply(undefined);
  expect(pauses).toEqual([paused, { ...paused, isPaused: false }]);
});

test.each([
  ['a budget that running requests reserve', refused({ isTemporary: true })],
  ['an engine without capacity', new RequestError('no', { status: 503 })],
  ['a rate limit', new RequestError('no', { status: 429 })],
])('a batch that waits for %s is not paused by a budget', (_, error) => {
  const { pauses, pause } = observed();
  pause.onReply(error);
  pause.onWaiting(true);
  expect(pauses).toEqual([]);
});

test('a rate limit does not end a pause', () => {
  const { pauses, pause } = observed();
  pause.onReply(refused());
  pause.onWaiting(true);
  pause.onReply(new RequestError('no', { status: 429 }));
  expect(pauses).toEqual([paused]);
});

test('an error of onBatchPause is reported, and does not fail the line', () => {
  const reported: unknown[] = [];
  const failure = new Error('x');
  const onBatchPause = () => {
    throw failure;
  };
  const report = (...entry: readonly unknown[]) => void reported.push(entry);
  const pause = createBudgetPause({ batch: 'batch_1', project: 'shop' }, { onBatchPause, report });
  pause.onReply(refused());
  pause.onWaiting(true);
  expect(reported).toEqual([['onBatchPause failed', failure]]);
});
