import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import type { JobStore, Lease } from '@modelwire/ports';
import { memoryJobs, newJob, resumedDue, urgentDue } from '../testing/memory-jobs.ts';
import { jobTimes } from './times.ts';
import { JobAborted } from './job-aborted.ts';
import { AtCapacityError, startWorker } from './worker.ts';
import type { JobHandler, Worker } from './worker.ts';

/** Test machines may be slow. */
const patient = { timeout: 60_000, interval: 5 };

afterEach(() => vi.useRealTimers());

interface Init {
  readonly run: JobHandler['run'];
  readonly concurrency?: number;
  readonly maxPerProject?: number;
  readonly extraUrgentConcurrency?: number;
  readonly urgentAfterMs?: number;
  readonly isAlwaysReady?: boolean;
  readonly store?: Partial<JobStore>;
  readonly isReady?: () => boolean;
}

function workers(ids: readonly string[]) {
  const jobs: Parameters<typeof memoryJobs>[0] = new Map();
  const add = (id: string, due = 0, project = 'p'): void => void jobs.set(id, newJob(id, project, due));
  for (const id of ids) add(id);
  const reported: string[] = [];
  const start = ({
    run,
    concurrency = 8,
    maxPerProject,
    extraUrgentConcurrency = 0,
    urgentAfterMs,
    isAlwaysReady = false,
    store,
    isReady,
  }: Init): Worker => {
    const worker = startWorker({
      jobs: { ...memoryJobs(jobs), ...store },
      handlers: {
        batch: {
          concurrency,
          run,
          extraUrgentConcurrency,
          isAlwaysReady,
          ...(maxPerProject !== undefined && { maxPerProject }),
          ...(urgentAfterMs !== undefined && { urgentAfterMs }),
        },
      },
      ...(isReady && { isReady }),
      times: jobTimes({ pollMs: 1000, leaseMs: 30_000, renewMs: 10_000, retryMs: 1000 }),
      report: (what) => reported.push(what),
    });
    onTestFinished(() => worker.stop());
    return worker;
  };
  return { jobs, add, start, reported };
}

/** Waits for this many turns of the event loop, so that pending callbacks have run. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

test('each job is run by one of two workers', async () => {
  const ids = Array.from({ length: 20 }, (_, n) => `job ${n}`);
  const { jobs, start } = workers(ids);
  const done: string[] = [];
  const run = async ({ id }: Lease): Promise<void> => {
    await turns(2);
    done.push(id);
    jobs.delete(id);
  };
  start({ run });
  start({ run });
  await vi.waitFor(() => expect(jobs.size).toBe(0), patient);
  expect(done.toSorted()).toEqual(ids.toSorted());
});

test('runs at most the maximum number of jobs at once, and starts the next when one ends', async () => {
  const { jobs, start } = workers(['a', 'b', 'c', 'd', 'e']);
  let busy = 0;
  let most = 0;
  start({
    concurrency: 2,
    async run({ id }) {
      most = Math.max(most, ++busy);
      await turns(2);
      busy--;
      jobs.delete(id);
    },
  });
  await vi.waitFor(() => expect(jobs.size).toBe(0), patient);
  expect(most).toBe(2);
});

test('another job runs in place of one that waits, up to a limit', async () => {
  const { jobs, start } = workers(Array.from({ length: 30 }, (_, n) => `job ${n}`));
  const worker = start({
    concurrency: 2,
    async run({ id }, signal, waits) {
      if (id !== 'job 9') {
        await turns(2);
        waits(true);
        await untilAborted(signal);
      } else jobs.delete(id);
    },
  });
  await vi.waitFor(() => expect([jobs.has('job 9'), worker.running()]).toEqual([false, 16]), patient);
  // The poll starts immediately, and would have claimed a job by then.
  worker.wake();
  await turns(20);
  expect(worker.running()).toBe(16);
});

/** Jobs that run until `end` is called. */
function held() {
  const startedIds: string[] = [];
  const open = new Map<string, () => void>();
  const run = async ({ id }: Lease, signal: AbortSignal): Promise<void> => {
    startedIds.push(id);
    await Promise.race([new Promise<void>((resolve) => open.set(id, resolve)), untilAborted(signal)]);
  };
  return { startedIds, run, end: (id: string) => open.get(id)?.() };
}

test('the project with the fewest running jobs comes first, however long jobs of others have waited', async () => {
  const { jobs, add, start } = workers([]);
  for (let n = 0; n < 9; n++) add(`a${n}`, n, 'a');
  const { startedIds, run, end } = held();
  const worker = start({ concurrency: 3, run });
  await vi.waitFor(() => expect(startedIds).toEqual(['a0', 'a1', 'a2']), patient);
  for (const name of ['b0', 'b1', 'b2']) add(name, 100, 'b');
  add('c0', 200, 'c');
  for (const [ended, next] of [
    ['a0', 'b0'],
    ['a1', 'c0'],
    ['c0', 'a3'],
    ['b0', 'b1'],
  ] as const) {
    jobs.delete(ended);
    end(ended);
    await vi.waitFor(() => expect(startedIds.at(-1)).toBe(next), patient);
  }
  expect(worker.running()).toBe(3);
});

test('runs at most maxPerProject jobs of one project, even with free capacity', async () => {
  const { jobs, add, start } = workers([]);
  for (let n = 0; n < 9; n++) add(`a${n}`, n, 'a');
  const { startedIds, run, end } = held();
  const worker = start({ concurrency: 8, maxPerProject: 2, run });
  await vi.waitFor(() => expect(startedIds).toEqual(['a0', 'a1']), patient);
  add('b0', 100, 'b');
  worker.wake();
  await vi.waitFor(() => expect(startedIds).toEqual(['a0', 'a1', 'b0']), patient);
  jobs.delete('a1');
  end('a1');
  await vi.waitFor(() => expect(startedIds.at(-1)).toBe('a2'), patient);
  expect(startedIds).toHaveLength(4);
});

test('an urgent job runs in addition to a full worker, without taking capacity from others', async () => {
  const { jobs, add, start } = workers([]);
  for (let n = 1; n < 4; n++) add(`a${n}`, n, 'a');
  const { startedIds, run, end } = held();
  const worker = start({ concurrency: 1, maxPerProject: 1, extraUrgentConcurrency: 1, run });
  await vi.waitFor(() => expect(startedIds).toEqual(['a1']), patient);
  for (const name of ['a8', 'a9']) add(name, urgentDue, 'a');
  worker.wake();
  await vi.waitFor(() => expect(startedIds).toEqual(['a1', 'a8']), patient);
  // Also one at a time.
  worker.wake();
  await turns(20);
  expect(startedIds).toEqual(['a1', 'a8']);
  jobs.delete('a8');
  end('a8');
  await vi.waitFor(() => expect(startedIds.at(-1)).toBe('a9'), patient);
  jobs.delete('a1');
  end('a1');
  await vi.waitFor(() => expect(startedIds.at(-1)).toBe('a2'), patient);
  expect(worker.running()).toBe(2);
});

test('a job that was not started in time runs in addition to a full worker; a released one does not', async () => {
  const { add, start } = workers([]);
  const now = Date.now();
  add('first', 5);
  const { startedIds, run } = held();
  const worker = start({ concurrency: 1, extraUrgentConcurrency: 9, urgentAfterMs: 60_000, run });
  await vi.waitFor(() => expect(startedIds).toEqual(['first']), patient);
  add('given back', resumedDue);
  add('young', now - 30_000);
  add('old', now - 60_000);
  worker.wake();
  await vi.waitFor(() => expect(startedIds).toEqual(['first', 'old']), patient);
  worker.wake();
  await turns(20);
  expect(startedIds).toEqual(['first', 'old']);
});

test('jobs that a stopping server released are resumed before jobs that were never started', async () => {
  const { add, start } = workers([]);
  add('later', 9);
  add('released', 5);
  const { startedIds, run } = held();
  const first = start({ concurrency: 1, run });
  await vi.waitFor(() => expect(startedIds).toEqual(['released']), patient);
  await first.stop();
  start({ concurrency: 1, run });
  await vi.waitFor(() => expect(startedIds).toEqual(['released', 'released']), patient);
});

test('waiting jobs of one project do not block jobs of others', async () => {
  const { add, start } = workers([]);
  for (let n = 0; n < 100; n++) add(`a${n}`, n, 'a');
  const worker = start({
    concurrency: 4,
    maxPerProject: 1,
    async run({ project }, signal, waits) {
      waits(project === 'a');
      await untilAborted(signal);
    },
  });
  // Eight times the concurrency.
  await vi.waitFor(() => expect(worker.running()).toBe(8), patient);
  add('b0', 1000, 'b');
  worker.wake();
  await vi.waitFor(() => expect(worker.running()).toBe(9), patient);
});

test('claims nothing before it is ready', async () => {
  vi.useFakeTimers({ now: 10_000 });
  const { jobs, start } = workers(['a']);
  let ready = false;
  start({ isReady: () => ready, run: async ({ id }) => void jobs.delete(id) });
  await vi.advanceTimersByTimeAsync(5000);
  expect(jobs.size).toBe(1);
  ready = true;
  await vi.advanceTimersByTimeAsync(1300);
  expect(jobs.size).toBe(0);
});

test('polls about every second, and immediately after wake', async () => {
  vi.useFakeTimers({ now: 10_000 });
  const { jobs, add, start } = workers([]);
  const run = async ({ id }: Lease): Promise<void> => void jobs.delete(id);
  const worker = start({ run });
  await vi.advanceTimersByTimeAsync(0);
  add('poked');
  worker.wake();
  await vi.advanceTimersByTimeAsync(0);
  expect(jobs.size).toBe(0);
  add('found');
  await vi.advanceTimersByTimeAsync(700);
  expect(jobs.size).toBe(1);
  await vi.advanceTimersByTimeAsync(600);
  expect(jobs.size).toBe(0);
});

test('a wake during a poll is not lost', async () => {
  vi.useFakeTimers({ now: 10_000 });
  const { jobs, add, start } = workers([]);
  const memory = memoryJobs(jobs);
  let asked = 0;
  const worker = start({
    run: async ({ id }) => void jobs.delete(id),
    store: {
      async claim(init) {
        const lease = await memory.claim(init);
        if (asked++ === 0) {
          add('late');
          worker.wake();
        }
        return lease;
      },
    },
  });
  await vi.advanceTimersByTimeAsync(0);
  expect([asked > 0, jobs.size]).toEqual([true, 0]);
});

test('a failed job is reported, retried after increasing delays, and receives its number of attempts', async () => {
  vi.useFakeTimers({ now: 10_000 });
  const { jobs, start, reported } = workers(['a']);
  const tried: [number, number][] = [];
  start({
    async run({ id, attempt }) {
      tried.push([attempt, Math.round((Date.now() - 10_000) / 1000)]);
      if (attempt === 4) jobs.delete(id);
      else throw new Error('not yet');
    },
  });
  await vi.advanceTimersByTimeAsync(20_000);
  expect(tried.map(([attempt]) => attempt)).toEqual([1, 2, 3, 4]);
  // After 1, 2 and 4 seconds, each claimed by the next poll.
  expect(tried[3]?.[1]).toBeGreaterThanOrEqual(7);
  expect(tried[3]?.[1]).toBeLessThanOrEqual(11);
  expect(reported).toEqual(Array(3).fill('batch job failed, it will be retried'));
});

test('a job without capacity is released and claimed again later, without an attempt or a failure', async () => {
  vi.useFakeTimers({ now: 10_000 });
  const { jobs, start, reported } = workers(['a', 'b']);
  const taken: [string, number][] = [];
  start({
    concurrency: 1,
    async run({ id, attempt }) {
      taken.push([id, attempt]);
      if (id === 'a' && taken.length < 4) throw new AtCapacityError(3000);
      jobs.delete(id);
    },
  });
  await vi.advanceTimersByTimeAsync(0);
  expect([taken, jobs.get('a')?.due]).toEqual([
    [
      ['a', 1],
      ['b', 1],
    ],
    13_000,
  ]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect([taken.slice(2), jobs.size, reported]).toEqual([
    [
      ['a', 1],
      ['a', 1],
    ],
    0,
    [],
  ]);
});

test('renews the lease for as long as the job runs', async () => {
  vi.useFakeTimers({ now: 10_000 });
  const { jobs, start } = workers(['a']);
  const startedIds: number[] = [];
  const run = async ({ id, attempt }: Lease, signal: AbortSignal): Promise<void> => {
    startedIds.push(attempt);
    await Promise.race([sleepFor(120_000), untilAborted(signal)]);
    if (!signal.aborted) jobs.delete(id);
  };
  start({ run });
  start({ run });
  await vi.advanceTimersByTimeAsync(125_000);
  expect([startedIds, jobs.size]).toEqual([[1], 0]);
});

test('a job whose worker crashed is claimed by another when its lease expires', async () => {
  vi.useFakeTimers({ now: 10_000 });
  const { jobs, start } = workers([]);
  jobs.set('a', { ...newJob('a', 'p', 40_000), attempt: 1, token: 'of a dead one' });
  let attempts = 0;
  start({
    async run({ id, attempt }) {
      attempts = attempt;
      jobs.delete(id);
    },
  });
  await vi.advanceTimersByTimeAsync(29_000);
  expect(attempts).toBe(0);
  await vi.advanceTimersByTimeAsync(3000);
  expect(attempts).toBe(2);
});

test('a job that another worker claimed is aborted, and not released', async () => {
  vi.useFakeTimers({ now: 10_000 });
  const { jobs, start } = workers(['a']);
  const why: unknown[] = [];
  const released = vi.fn(async () => true);
  start({
    store: { release: released },
    async run({ id }, signal) {
      jobs.set(id, { ...newJob(id, 'p', 1e9), attempt: 2, token: 'of another' });
      await untilAborted(signal);
      why.push(signal.reason instanceof JobAborted && signal.reason.kind);
    },
  });
  await vi.advanceTimersByTimeAsync(10_100);
  expect(why).toEqual(['lost']);
  expect(released).not.toHaveBeenCalled();
});

test.each([
  ['fails', () => Promise.reject(new Error('no database'))],
  ['does not end', () => new Promise<boolean>(() => undefined)],
])('when renewing %s, the job is aborted before another worker can claim it', async (_, renew) => {
  vi.useFakeTimers({ now: 10_000 });
  const { start } = workers(['a']);
  const ends: number[] = [];
  start({
    store: { renew },
    async run(_lease, signal) {
      await untilAborted(signal);
      ends.push(Date.now());
    },
  });
  await vi.advanceTimersByTimeAsync(29_999);
  expect(ends).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(ends).toEqual([40_000]);
});

test('a single failed renewal has no effect', async () => {
  vi.useFakeTimers({ now: 10_000 });
  const { jobs, start, reported } = workers(['a']);
  const memory = memoryJobs(jobs);
  let asked = 0;
  let aborted = false;
  start({
    store: {
      renew: async (lease, until) => (asked++ === 0 ? Promise.reject(new Error('no')) : memory.renew(lease, until)),
    },
    async run(_lease, signal) {
      await untilAborted(signal);
      aborted = true;
    },
  });
  await vi.advanceTimersByTimeAsync(100_000);
  expect([aborted, reported]).toEqual([false, ['failed to renew the lease of a job']]);
});

test('a stopped worker releases its jobs immediately, including one that is being claimed, and claims no more of any kind', async () => {
  const { jobs, start } = workers(['a', 'b']);
  const why: unknown[] = [];
  const memory = memoryJobs(jobs);
  let asked = 0;
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  const worker = start({
    concurrency: 3,
    isAlwaysReady: true,
    store: {
      async claim(init) {
        if (asked++ > 0) await gate;
        return memory.claim(init);
      },
    },
    async run(_lease, signal) {
      await untilAborted(signal);
      why.push(signal.reason instanceof JobAborted && signal.reason.kind);
    },
  });
  await vi.waitFor(() => expect(worker.running()).toBe(1), patient);
  const stopped = worker.stop();
  open();
  await stopped;
  expect(why).toEqual(['stopping']);
  expect([...jobs.values()].map(({ token, due }) => [token, due <= Date.now()])).toEqual([
    ['', true],
    ['', true],
  ]);
  const before = asked;
  // `wake` would call the store before it returns.
  worker.wake();
  expect([worker.running(), asked]).toEqual([0, before]);
});

test('a handler that ignores its signal has two seconds, then its job is released', async () => {
  vi.useFakeTimers({ now: 10_000 });
  const { jobs, start } = workers(['a']);
  const worker = start({ run: () => new Promise(() => undefined) });
  await vi.advanceTimersByTimeAsync(0);
  const stopped = worker.stop();
  await vi.advanceTimersByTimeAsync(2000);
  await stopped;
  expect(jobs.get('a')?.token).toBe('');
});

test('refuses invalid times', () => {
  expect(() => jobTimes({ pollMs: 0 })).toThrow('jobTimes.pollMs');
  expect(() => jobTimes({ leaseMs: 10, renewMs: 10 })).toThrow('renewMs must be less');
});

const sleepFor = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test('an outage of the storage does not count as an attempt, and the job is retried', async () => {
  const { jobs, start, reported } = workers(['a']);
  const attempts: number[] = [];
  const outage = Object.assign(new Error('down'), { outage: { dependency: 'postgres', cause: 'connection refused' } });
  let down = 2;
  const run = async ({ id, attempt }: Lease): Promise<void> => {
    attempts.push(attempt);
    if (down-- > 0) throw outage;
    jobs.delete(id);
  };
  start({ run });
  await vi.waitFor(() => expect(jobs.size).toBe(0), patient);
  expect(attempts).toEqual([1, 1, 1]);
  expect(reported).toEqual(['batch job failed, it will be retried', 'batch job failed, it will be retried']);
});
