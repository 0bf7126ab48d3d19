import { expect, test, vi } from 'vitest';
import type { JobStore, Lease } from '@modelwire/ports';
import { createFairSemaphore } from '../limits/fair-semaphore.ts';
import { enterQuarantine, runUnit } from './quarantine.ts';
import { loadSuspects } from './recovery.ts';
import { jobTimes } from './times.ts';

const lease: Lease = {
  id: 'batch_1',
  kind: 'batch',
  project: 'p',
  attempt: 2,
  crashes: 1,
  notes: undefined,
  token: 't',
};
const never = () => Promise.reject(new Error('not asked for here'));

/** A suspect, the unit 7, of a job whose notes are stored by `note`. */
async function quarantined({
  note,
  notes,
  retryMs = 1,
}: { note?: JobStore['note']; notes?: string; retryMs?: number } = {}) {
  const written: string[] = [];
  let storeNote: JobStore['note'] = async (_, text) => written.push(text) > 0;
  const jobs: JobStore = {
    claim: never,
    cancelClaim: never,
    renew: never,
    release: never,
    backlog: never,
    note: (...args) => storeNote(...args),
  };
  const suspects = await loadSuspects({
    jobs,
    lease: { ...lease, notes },
    runningAtCrash: () => [7],
    isDone: () => false,
    report: () => undefined,
  });
  if (note) storeNote = note;
  const quarantine = createFairSemaphore(1);
  const { signal } = new AbortController();
  const states: boolean[] = [];
  const init = {
    quarantine,
    suspects,
    times: jobTimes({ retryMs }),
    project: 'p',
    signal,
    setWaiting: (isWaiting: boolean) => void states.push(isWaiting),
  };
  /** Whether no suspect has the permit. */
  const isFree = (): Promise<boolean> =>
    quarantine.acquire('p', AbortSignal.timeout(100)).then(
      (release) => {
        release();
        return true;
      },
      () => false,
    );
  return { init, states, written, isFree };
}

test('a suspect that cannot be recorded before it starts leaves the quarantine', async () => {
  const { init, isFree } = await quarantined({ note: () => Promise.reject(new Error('the database is down')) });
  const work = vi.fn(async () => undefined);
  await expect(runUnit(init, { unit: 7 }, work)).rejects.toThrow('the database is down');
  expect(work).not.toHaveBeenCalled();
  expect(await isFree()).toBe(true);
});

test('a suspect that fails leaves the quarantine, and its end is recorded', async () => {
  const { init, isFree, written } = await quarantined();
  const failing = () => Promise.reject(new Error('no luck'));
  await expect(runUnit(init, { unit: 7 }, failing)).rejects.toThrow('no luck');
  expect(await isFree()).toBe(true);
  expect(written.slice(-2)).toEqual(['{"crashes":[[7,0]],"alone":7}', '{"crashes":[[7,0]],"alone":null}']);
});

test('what else a suspect needs is acquired before it is recorded, and a failure to do so leaves the quarantine', async () => {
  const { init, isFree, written } = await quarantined();
  const acquireOther = () => Promise.reject(new Error('the line was cancelled'));
  await expect(enterQuarantine({ ...init, acquireOther }, 7, 0)).rejects.toThrow('the line was cancelled');
  expect(await isFree()).toBe(true);
  expect(written).not.toContain('{"crashes":[[7,0]],"alone":7}');
});

test('a suspect is waiting until it has the permit', async () => {
  const { init, states } = await quarantined();
  const leaveFirst = await enterQuarantine(init, 7, 0);
  expect(states).toEqual([true, false]);
  const second = runUnit(init, { unit: 7 }, async () => states.at(-1));
  expect(states).toEqual([true, false, true]);
  await leaveFirst();
  expect(await second).toBe(false);
});

test('work that is no suspect runs while a suspect is in quarantine', async () => {
  const { init, states } = await quarantined();
  const leave = await enterQuarantine(init, 7, 0);
  expect(await runUnit(init, { unit: 8 }, async () => 'done')).toBe('done');
  expect(states).toEqual([true, false]);
  await leave();
});

test('a suspect waits longer after each crash during which it was alone, so that a server that is killed at once never starts it', async () => {
  vi.useFakeTimers();
  try {
    const { init } = await quarantined({ retryMs: 1000, notes: '{"crashes":[[7,1]],"alone":7}' });
    expect(init.suspects.crashesOf(7)).toBe(2);
    const work = vi.fn(async () => undefined);
    const done = runUnit(init, { unit: 7 }, work);
    await vi.advanceTimersByTimeAsync(9999);
    expect(work).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await done;
    expect(work).toHaveBeenCalledOnce();
  } finally {
    vi.useRealTimers();
  }
});
