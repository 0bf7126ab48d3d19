import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { JobStore, Lease } from '@modelwire/ports';
import { memoryJobs, newJob } from '../testing/memory-jobs.ts';
import { createOutageRecovery } from './outage-recovery.ts';

const init = { kinds: ['batch'], leaseMs: 60_000 } as const;

/** A job store that can be down, before or after it has carried out a call. */
function unreliableJobs() {
  const jobs: Parameters<typeof memoryJobs>[0] = new Map([['a', newJob('a', 'p', 0)]]);
  const real = memoryJobs(jobs);
  const state: { fails: 'never' | 'before' | 'after' } = { fails: 'never' };
  const guard =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      if (state.fails === 'before') throw new Error('down');
      const result = await call(...args);
      if (state.fails === 'after') throw new Error('connection lost');
      return result;
    };
  const store: JobStore = {
    claim: guard(real.claim),
    cancelClaim: guard(real.cancelClaim),
    renew: guard(real.renew),
    backlog: guard(real.backlog),
    note: guard(real.note),
    release: guard(real.release),
  };
  return { jobs, state, store };
}

const expireLease = (jobs: Map<string, Lease & { due: number }>): void => {
  for (const job of jobs.values()) job.due = 0;
};

test('settle undoes a claim whose response was lost: the job is due immediately, without an attempt', async () => {
  const { jobs, state, store } = unreliableJobs();
  const recovery = createOutageRecovery(store, 60_000);
  state.fails = 'after';
  await expect(recovery.claim(init)).rejects.toThrow('connection lost');
  expect(jobs.get('a')).toMatchObject({ attempt: 1 });
  state.fails = 'before';
  await expect(recovery.settle()).rejects.toThrow('down');
  state.fails = 'never';
  await recovery.settle();
  expect(await recovery.claim(init)).toMatchObject({ attempt: 1, crashes: 0 });
});

test('settle repeats a failed release with the same options', async () => {
  const { jobs, state, store } = unreliableJobs();
  const recovery = createOutageRecovery(store, 60_000);
  const lease = await recovery.claim(init);
  if (!lease) throw new Error('no job is due');
  state.fails = 'before';
  await expect(recovery.release(lease, { skipAttempt: true })).rejects.toThrow('down');
  expect(jobs.get('a')?.token).toBe(lease.token);
  state.fails = 'never';
  await recovery.settle();
  expect(jobs.get('a')).toMatchObject({ token: '', attempt: 0 });
});

test('leases that expire do not count as crashes until some time after the store responds again', async () => {
  const { jobs, state, store } = unreliableJobs();
  const other = createOutageRecovery(store, 60_000);
  const recovery = createOutageRecovery(store, 60_000);
  await other.claim(init);
  state.fails = 'before';
  await expect(recovery.claim(init)).rejects.toThrow('down');
  state.fails = 'never';
  expireLease(jobs);
  expect(await recovery.claim(init)).toMatchObject({ crashes: 0 });
  expireLease(jobs);
  expect(await other.claim(init)).toMatchObject({ crashes: 1 });
});

test('leases that expired during an outage do not count as crashes when the next call comes long after the last failure', async () => {
  const graceMs = 20;
  const { jobs, state, store } = unreliableJobs();
  const recovery = createOutageRecovery(store, graceMs);
  await createOutageRecovery(store, graceMs).claim(init);
  state.fails = 'before';
  await expect(recovery.claim(init)).rejects.toThrow('down');
  state.fails = 'never';
  expireLease(jobs);
  await sleep(2 * graceMs);
  expect(await recovery.claim(init)).toMatchObject({ crashes: 0 });
});
