import type { Batch } from '@modelwire/schema/types';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { modelNotFound, RequestError } from '../../errors.ts';
import { BudgetExceeded } from '../../limits/budgets.ts';
import { systemClock } from '../../clock.ts';
import { createWaitingNotice, reasonOf } from './waiting-notice.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const batch: Batch = {
  id: 'batch_1',
  object: 'batch',
  endpoint: '/v1/chat/completions',
  input_file_id: 'file-1',
  completion_window: '24h',
  status: 'in_progress',
  created_at: 1,
};
const overloaded = new RequestError('The engine is overloaded.', { status: 503, code: 'overloaded' });
const spent = new RequestError('The budget is spent.', {
  status: 429,
  code: 'insufficient_quota',
  cause: new BudgetExceeded({ id: 'budget_1', resetsAt: 86_400 }, false),
});
const [first, second] = [{}, {}];

function recorded({ from = batch, results = [] as (boolean | Error)[] } = {}) {
  const stored: (string | undefined)[] = [];
  const versions: number[] = [];
  const batches: Batch[] = [];
  const reported: unknown[] = [];
  const notice = createWaitingNotice({
    batch: from,
    version: 7,
    async store(changed, version) {
      batches.push(changed);
      stored.push(changed.waiting_for?.reason);
      versions.push(version);
      const result = results.shift() ?? true;
      if (result instanceof Error) throw result;
      return result;
    },
    report: (_, error) => void reported.push(error),
    clock: systemClock,
  });
  /** One attempt of the only line. */
  const refuse = (error: RequestError): void => {
    notice.onLines({ count: 1, allWait: false });
    notice.onReply(first, error, false);
    notice.onLines({ count: 1, allWait: true });
  };
  return { notice, stored, versions, batches, reported, refuse };
}

test('a batch says once what it waits for, however often its line is refused, until the line has a result', async () => {
  const { notice, stored, versions, batches, refuse } = recorded();
  for (let attempt = 0; attempt < 100; attempt++) {
    refuse(spent);
    await vi.advanceTimersByTimeAsync(5000);
  }
  expect(stored).toEqual(['budget']);
  expect(batches[0]?.waiting_for).toMatchObject({ message: 'The budget is spent.', until: 86_400 });
  refuse(overloaded);
  await vi.advanceTimersByTimeAsync(5000);
  notice.onReply(first, undefined, true);
  await vi.advanceTimersByTimeAsync(5000);
  expect(stored).toEqual(['budget', 'capacity', undefined]);
  expect(batches.at(-1)).not.toHaveProperty('waiting_for');
  expect(versions).toEqual([7, 8, 9]);
  expect(notice.version()).toBe(10);
});

test('a short wait is not stored', async () => {
  const { notice, stored, refuse } = recorded();
  refuse(overloaded);
  await vi.advanceTimersByTimeAsync(500);
  notice.onReply(first, undefined, true);
  await vi.advanceTimersByTimeAsync(5000);
  expect(stored).toEqual([]);
});

test('a batch does not wait while one of its lines has not been refused', async () => {
  const { notice, stored, refuse } = recorded();
  refuse(overloaded);
  notice.onLines({ count: 2, allWait: false });
  await vi.advanceTimersByTimeAsync(5000);
  expect(stored).toEqual([]);
  notice.onReply(second, spent, false);
  notice.onLines({ count: 2, allWait: true });
  await vi.advanceTimersByTimeAsync(5000);
  expect(stored).toEqual(['budget']);
});

test('a line that was refused and now runs for long no longer waits', async () => {
  const { notice, stored, refuse } = recorded();
  refuse(overloaded);
  await vi.advanceTimersByTimeAsync(5000);
  notice.onLines({ count: 1, allWait: false });
  await vi.advanceTimersByTimeAsync(20_000);
  expect(stored).toEqual(['capacity']);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(stored).toEqual(['capacity', undefined]);
});

test('lines that wait until they can run alone are in quarantine', async () => {
  const { notice, stored } = recorded();
  notice.onQuarantine(first, true);
  notice.onLines({ count: 1, allWait: true });
  await vi.advanceTimersByTimeAsync(5000);
  notice.onQuarantine(first, false);
  await vi.advanceTimersByTimeAsync(5000);
  expect(stored).toEqual(['quarantine', undefined]);
});

test('what a previous run stored is not stored again, and is removed when lines proceed', async () => {
  const waiting_for = { reason: 'budget', message: 'The budget is spent.', since: 1, until: null } as const;
  const { notice, stored, refuse } = recorded({ from: { ...batch, waiting_for } });
  refuse(spent);
  await vi.advanceTimersByTimeAsync(5000);
  expect(stored).toEqual([]);
  notice.onReply(first, undefined, true);
  await vi.advanceTimersByTimeAsync(5000);
  expect(stored).toEqual([undefined]);
});

test('a failed write is reported and repeated; a batch that has changed is left alone', async () => {
  const failure = new Error('the store is away');
  const { notice, stored, versions, reported, refuse } = recorded({ results: [failure, false] });
  refuse(spent);
  await vi.advanceTimersByTimeAsync(2500);
  expect(reported).toEqual([failure]);
  expect(stored).toEqual(['budget', 'budget']);
  expect(versions).toEqual([7, 7]);
  refuse(overloaded);
  await vi.advanceTimersByTimeAsync(5000);
  expect(stored).toHaveLength(2);
  expect(notice.version()).toBe(7);
});

test('nothing is stored after the end of the run', async () => {
  const { notice, stored, refuse } = recorded();
  refuse(spent);
  await notice.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(stored).toEqual([]);
});

const failed = (status: number, code: string): RequestError => new RequestError('no', { status, code });

test.each([
  ['model_unavailable', modelNotFound('m', [{ name: 'gpu', cause: 'ECONNREFUSED' }])],
  ['upstream_unavailable', failed(503, 'upstream_unavailable')],
  ['upstream_unavailable', failed(504, 'upstream_timeout')],
  ['storage', failed(507, 'insufficient_storage')],
  ['storage', failed(503, 'storage_unavailable')],
  ['rate_limit', failed(429, 'rate_limit_exceeded')],
  ['capacity', failed(503, 'overloaded')],
  ['server_error', failed(500, 'internal_error')],
  ['budget', spent],
])('the reason %s', (reason, error) => {
  expect(reasonOf(error)).toBe(reason);
});

test('a budget that running requests reserve is a matter of capacity', () => {
  const cause = new BudgetExceeded({ id: 'budget_1', resetsAt: 86_400 }, true);
  expect(reasonOf({ status: 429, code: 'insufficient_quota', cause })).toBe('capacity');
});

test('a batch says that it is late, with an estimate that follows large changes, until it is on time', async () => {
  vi.setSystemTime(1_000_000);
  const { notice, batches } = recorded();
  const estimate = async (expectedAt: number | undefined): Promise<void> => {
    notice.onEstimate(expectedAt);
    await vi.advanceTimersByTimeAsync(2000);
  };
  await estimate(undefined);
  expect(batches).toEqual([]);
  await estimate(11_000);
  await estimate(11_100);
  await estimate(15_000);
  await estimate(undefined);
  expect(batches.map(({ late }) => late)).toEqual([
    { since: 1002, expected_at: 11_000 },
    { since: 1002, expected_at: 15_000 },
    undefined,
  ]);
});
