import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchLateness } from './lateness.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] }));
afterEach(() => void vi.useRealTimers());

function watched(lines: number, windowMs: number) {
  const estimates: { readonly inMs: number; readonly isLate: boolean }[] = [];
  let remaining = lines;
  const lateness = watchLateness({
    remaining: () => remaining,
    expiresAt: Date.now() + windowMs,
    clock: { now: () => Date.now(), monotonic: () => performance.now() },
    onEstimate: (expectedAt, isLate) => estimates.push({ inMs: expectedAt - Date.now(), isLate }),
  });
  const end = async (count: number, everyMs: number): Promise<void> => {
    for (let line = 0; line < count; line++) {
      await vi.advanceTimersByTimeAsync(everyMs);
      remaining--;
      lateness.lineEnded();
    }
  };
  /** What the provider says of 100 lines that were submitted now. */
  const submission = {
    key: 'a',
    submittedAt: Date.now() / 1000,
    lines: [],
    upstream: '',
    model: '',
    endpoint: '',
    fileId: '',
  };
  const progress = (done: number): void => lateness.submissionProgressed(submission, { ended: done, total: 100 });
  return { lateness, submission, progress, end, estimates, isLate: () => estimates.at(-1)?.isLate };
}

test('a batch is late within a minute of its first lines if the others cannot end in its window', async () => {
  const { end, estimates } = watched(1000, 3_600_000);
  await end(1, 5000);
  expect(estimates).toEqual([]);
  await end(11, 5000);
  expect(estimates.every(({ isLate }) => isLate)).toBe(true);
  expect(estimates.length).toBeGreaterThan(3);
  expect(estimates.at(-1)?.inMs).toBeGreaterThan(4_900_000);
});

test('it is not late any more when its lines have become faster', async () => {
  const { end, isLate } = watched(1000, 3_600_000);
  await end(20, 5000);
  expect(isLate()).toBe(true);
  await end(200, 100);
  expect(isLate()).toBe(false);
});

test('it becomes late when no more lines end, and nothing is estimated after it has stopped', async () => {
  const { lateness, end, estimates, isLate } = watched(100, 3_600_000);
  await end(10, 1000);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(isLate()).toBe(false);
  await vi.advanceTimersByTimeAsync(1_800_000);
  expect(isLate()).toBe(true);
  lateness.stop();
  const before = estimates.length;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(estimates).toHaveLength(before);
});

test('it is late if its lines at a provider cannot end in its window, however fast those here are', async () => {
  const { lateness, submission, progress, end, estimates, isLate } = watched(100, 3_600_000);
  progress(0);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(estimates).toEqual([]);
  progress(10);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(isLate()).toBe(true);
  expect(estimates.at(-1)?.inMs).toBe(9 * 610_000);
  await end(90, 100);
  expect(isLate()).toBe(true);
  progress(90);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(isLate()).toBe(false);
  progress(10);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(isLate()).toBe(true);
  lateness.submissionEnded(submission);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(isLate()).toBe(false);
});
